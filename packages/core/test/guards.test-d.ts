import {
  Catalog,
  type ClientAuthError,
  type ClientError,
  type ClientNetworkError,
  type ClientRestError,
  type ClientValidationError
} from "@catalog-client/core"
import {
  isCancelled,
  isClientError,
  isCredentialsUnavailable,
  isInvalidInput,
  isNotFound,
  isPolicyRefusal,
  isRateLimited,
  isRetryable,
  isSignInRequired
} from "@catalog-client/core/guards"
import { Effect } from "effect"
import { expectTypeOf, test } from "vitest"

type Answered<Status> = ClientRestError & { readonly status: Status }

test("a guard narrows unknown to its class and its number or reason", () => {
  const thrown = {} as unknown
  if (isClientError(thrown)) {
    expectTypeOf(thrown).toEqualTypeOf<ClientError>()
  }
  if (isRateLimited(thrown)) {
    expectTypeOf(thrown).toEqualTypeOf<Answered<429>>()
  }
  if (isCancelled(thrown)) {
    expectTypeOf(thrown).toEqualTypeOf<ClientNetworkError & { readonly reason: "Cancelled" }>()
  }
  if (isSignInRequired(thrown)) {
    expectTypeOf(thrown._tag).toEqualTypeOf<"ClientAuthError" | "ClientRestError">()
  }
  // @ts-expect-error -- nothing is known of what no guard has looked at
  void thrown.status
})

test("a log reads any member of an error without a branch", () => {
  const error = {} as ClientError
  const { attempts, code, field, method, operation, reason, retryAfter, status, timeoutMs, url } = error
  expectTypeOf([operation]).toEqualTypeOf<Array<string>>()
  expectTypeOf([code, field, method, url]).toEqualTypeOf<Array<string | undefined>>()
  expectTypeOf([attempts, retryAfter, status, timeoutMs]).toEqualTypeOf<Array<number | undefined>>()
  expectTypeOf(reason).toEqualTypeOf<
    | ClientAuthError["reason"]
    | ClientValidationError["reason"]
    | ClientRestError["reason"]
    | ClientNetworkError["reason"]
  >()
})

test("guards narrow a union of errors, and keep the class in the other branch", () => {
  const error = {} as ClientError
  expectTypeOf(isNotFound(error) ? error.status : undefined).toEqualTypeOf<404 | undefined>()
  if (!isNotFound(error)) {
    expectTypeOf(error).toEqualTypeOf<ClientError>()
  }
  // The other status or reason may be anything, but nothing of the class that is always accepted is left.
  if (!isSignInRequired(error) && !isInvalidInput(error)) {
    expectTypeOf(error).toEqualTypeOf<ClientAuthError | ClientRestError | ClientNetworkError>()
  }
  if (!isRetryable(error) && !isPolicyRefusal(error) && !isCredentialsUnavailable(error)) {
    expectTypeOf(error).toEqualTypeOf<ClientError>()
  }
})

test("they are refinements for Effect.catchIf", () => {
  const search = Catalog.anime.search({ q: "x" })
  const found = search.pipe(Effect.catchIf(isNotFound, (error) => Effect.succeed(error.status)))
  expectTypeOf<Effect.Effect.Error<typeof found>>().toEqualTypeOf<
    ClientValidationError | ClientRestError | ClientNetworkError
  >()
  expectTypeOf<Extract<Effect.Effect.Success<typeof found>, number>>().toEqualTypeOf<404>()
  const refused = search.pipe(Effect.catchIf(isInvalidInput, (error) => Effect.succeed(error)))
  expectTypeOf<Effect.Effect.Error<typeof refused>>().toEqualTypeOf<ClientRestError | ClientNetworkError>()
  expectTypeOf<Extract<Effect.Effect.Success<typeof refused>, Error>>().toEqualTypeOf<
    ClientValidationError | Answered<400 | 413 | 414 | 422>
  >()
})

test("a guard for several errors narrows those that an operation can fail with", () => {
  const boards = Catalog.forum.boards()
  const later = Effect.catchIf(boards, isRetryable, (error) => Effect.succeed(error))
  expectTypeOf<Extract<Effect.Effect.Success<typeof later>, Error>["reason"]>().toEqualTypeOf<
    "Status" | "Timeout" | "Transport" | "CircuitOpen" | "RateLimitStore" | "CredentialsUnavailable"
  >()
  const signedIn = boards.pipe(Effect.catchIf(isSignInRequired, (error) => Effect.succeed(error.status)))
  expectTypeOf<Extract<Effect.Effect.Success<typeof signedIn>, number>>().toEqualTypeOf<400 | 401>()
  const all = boards.pipe(Effect.catchIf(isClientError, () => Effect.void))
  expectTypeOf<Effect.Effect.Error<typeof all>>().toEqualTypeOf<never>()
})

test("they narrow any, as in the catch of a promise", () => {
  void Promise.reject(new Error()).catch((error) => {
    if (isRetryable(error)) {
      expectTypeOf(error._tag).toEqualTypeOf<"ClientAuthError" | "ClientRestError" | "ClientNetworkError">()
    }
  })
})
