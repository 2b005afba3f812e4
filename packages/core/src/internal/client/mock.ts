/**
 * The operations of a client for tests. Whole lists are read like real ones, but call the stub instead of the interpreter.
 */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { CatalogClientService, CatalogClientStubs as Stubs } from "./service.js"
import type { ClientError } from "../../CatalogError.js"
import type { Credentials } from "../../Credentials.js"
import type { HttpClient } from "../../platform/httpClient.js"
import { makeFace } from "../call/face.js"
import type { interpret, UntypedArguments } from "../call/interpreter.js"
import { argumentsOf, pagingArgument } from "../declaration/declaration.js"
import { nameOf, plainUrlOf } from "../declaration/request.js"
import { currentSettings } from "../settings/settings.js"
import { type ClientOperations, makeLists } from "./makeClient.js"

type AnyStub = (...args: UntypedArguments) => Effect.Effect<unknown, ClientError>

/** Asks a stub for pages, each with its `limit` and `offset` as inputs. */
const pagesOf =
  (stub: AnyStub): typeof interpret =>
  (declaration, inputs, how) =>
    Effect.flatMap(currentSettings, (settings) => {
      const follow = how?.follow
      const page: Record<string, number> = {}
      if (follow !== undefined) {
        const query = new URLSearchParams(plainUrlOf(declaration, inputs, settings, follow).split("?")[1])
        for (const input of ["limit", "offset"]) {
          const value = query.get(nameOf(settings, input))
          if (value !== null) {
            page[input] = Number(value)
          }
        }
      }
      const argument = pagingArgument(declaration)
      return stub(...argumentsOf(declaration, { ...inputs, [argument]: { ...inputs[argument], ...page } }))
    })

/** A stub requires nothing. */
const keepContext = (context: Context.Context<never>) => context as Context.Context<HttpClient | Credentials>

/** The operations of a `CatalogClient.layerMock`. `operations` has the domains of `Catalog`. */
export const makeMock = (operations: object, { call, ...domains }: Stubs): CatalogClientService => {
  const stubs: Readonly<Record<string, Readonly<Record<string, object | undefined>> | undefined>> = domains
  const mocked = makeFace<ClientOperations>(operations, undefined, (declaration, inputsOf, operation) => {
    const { name } = declaration
    const isCustom = !name.startsWith("catalog.")
    const [, domain = "", operationName = ""] = name.split(".")
    const stub = (
      isCustom ? call?.find((stub) => stub.operation === operation)?.reply : stubs[domain]?.[operationName]
    ) as AnyStub | undefined
    if (stub === undefined) {
      const member = isCustom ? "call" : domain
      const missing = () => Effect.dieMessage(`CatalogClient.layerMock has no ${name}: add it to ${member}`)
      const missingList = () => Stream.fromEffect(missing())
      return Object.assign(missing, { pages: missingList, items: missingList, collect: missing })
    }
    const lists = makeLists(declaration, inputsOf, keepContext, pagesOf(stub))
    return Object.assign((...inputs: UntypedArguments) => stub(...inputs), lists, stub)
  })
  const client: CatalogClientService = { ...mocked, withCredentials: () => client, invalidateCache: () => Effect.void }
  return client
}
