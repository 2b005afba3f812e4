/**
 * A service with a token endpoint in memory, with refresh tokens that are used once; and sessions over it on both faces.
 */
import type { CatalogOptions } from "catalog-client"
import { createSession } from "catalog-client/oauth"
import { CatalogConfig, CatalogPolicy, ServiceProfile } from "@catalog-client/core"
import {
  type OAuth,
  OAuthSession,
  type PendingAuthorization,
  type TextStore as OauthTextStore,
  Tokens,
  TokenStore
} from "@catalog-client/oauth"
import type { HttpClient } from "@effect/platform"
import { Cause, Effect, Exit, Layer, ManagedRuntime, Option, Redacted, Stream } from "effect"
import { recordingLogger } from "./telemetry.js"
import { effectCall, gate, json, promiseCall, promiseCatalog, recording, type ReceivedRequest } from "./faces.js"
import { sleep } from "./eventually.js"
import { onlyEffect } from "./only.js"

export const profile: ServiceProfile = {
  ...ServiceProfile.default,
  baseUrl: "https://api.test/v2",
  oauth: {
    authorizeUrl: "https://auth.test/authorize",
    tokenUrl: "https://auth.test/token",
    codeChallengeMethod: "plain"
  }
}

export const clientId = "ClientCanary-0123456789"
const redirectUri = "https://app.test/callback"

const challenge = { "www-authenticate": 'Bearer error="invalid_token"' }
export const refusedToken = () => json({ error: "invalid_token" }, { status: 401, headers: challenge })

const revoked = { error: "invalid_request", message: "The refresh token is invalid.", hint: "Token has been revoked" }
export const dead = () => json(revoked, { status: 401 })

/** A request for tokens. */
export interface TokenRequest {
  readonly form: Readonly<Record<string, string>>
  readonly request: ReceivedRequest
}

/** The nth tokens, as the service sends them. */
export const access = (n: number) => `AccessCanary-${n}-abcdefghijklmnop`
export const refresh = (n: number) => `RefreshCanary-${n}-abcdefghijklmnop`

/** The service: `n` counts its grants. */
export const authority = (options: { readonly expiresIn?: unknown; readonly codes?: ReadonlyArray<string> } = {}) => {
  const state = {
    n: 1,
    /** Of these, each counts once. */
    refreshTokens: new Set([refresh(1)]),
    accessTokens: new Set([access(1)]),
    codes: new Set(options.codes ?? []),
    expiresIn: "expiresIn" in options ? options.expiresIn : 3600,
    tokenRequests: [] as Array<TokenRequest>,
    apiCalls: [] as Array<ReceivedRequest>,
    /** Handles a request for tokens. Return undefined for the normal response. */
    onToken: undefined as undefined | ((request: TokenRequest) => Response | Promise<Response | undefined> | undefined),
    /** What happens to a reply of the token endpoint. */
    after: undefined as undefined | ((response: Response) => Response | Promise<Response>),
    onApi: undefined as
      | undefined
      | ((request: ReceivedRequest) => Response | Promise<Response | undefined> | undefined),
    spentTwice: 0
  }
  const grant = (refreshes: boolean) => {
    state.n++
    state.accessTokens.clear()
    state.accessTokens.add(access(state.n))
    state.refreshTokens.add(refresh(state.n))
    return json({
      token_type: "Bearer",
      ...(state.expiresIn !== undefined && { expires_in: state.expiresIn }),
      access_token: access(state.n),
      ...(refreshes && { refresh_token: refresh(state.n) })
    })
  }
  const token = async (request: ReceivedRequest): Promise<Response> => {
    const form = Object.fromEntries(new URLSearchParams(request.body))
    const tokenRequest = { form, request }
    state.tokenRequests.push(tokenRequest)
    const instead = await state.onToken?.(tokenRequest)
    if (instead !== undefined) {
      return instead
    }
    const { code = "", grant_type, refresh_token = "" } = form
    let response: Response
    if (grant_type === "authorization_code") {
      response = state.codes.delete(code)
        ? grant(true)
        : json(
            { error: "invalid_request", message: "bad", hint: "Authorization code has been revoked" },
            { status: 400 }
          )
    } else if (state.refreshTokens.delete(refresh_token)) {
      response = grant(true)
    } else {
      state.spentTwice++
      response = dead()
    }
    return (await state.after?.(response)) ?? response
  }
  const api = async (request: ReceivedRequest): Promise<Response> => {
    state.apiCalls.push(request)
    const instead = await state.onApi?.(request)
    if (instead !== undefined) {
      return instead
    }
    const { authorization } = request.headers
    if (authorization !== undefined && !state.accessTokens.has(authorization.replace("Bearer ", ""))) {
      return refusedToken()
    }
    return request.method === "PATCH" ? json({ score: 7 }) : json({ id: 1, title: "One", name: "me" })
  }
  const { fetch, layer } = recording((request) => (request.url.host === "auth.test" ? token(request) : api(request)))
  return Object.assign(state, { fetch, layer })
}

export type Authority = ReturnType<typeof authority>

/** The nth tokens. Expire after an hour by default. */
export const tokensOf = (
  n: number,
  { age = 0, life = 3600_000, of = clientId }: { age?: number; life?: number; of?: string } = {}
) =>
  new Tokens({
    accessToken: Redacted.make(access(n)),
    refreshToken: Redacted.make(refresh(n)),
    clientId: of,
    obtainedAt: Date.now() - age,
    expiresAt: Date.now() - age + life
  })

export const expired = { age: 3600_001 }

/** Functions that store one string, or change it in exclusive steps, as programs of promises pass them. */
export type Store = TextStore | SharedStore

interface Reader {
  readonly get: () => string | undefined | Promise<string | undefined>
  readonly keep?: (text: string, id: string) => unknown
}

export interface TextStore extends Reader {
  readonly set: (text: string) => unknown
  readonly remove: () => unknown
}

export interface SharedStore extends Reader {
  readonly update: (step: (text: string | undefined) => Promise<string | undefined>) => unknown
}

const services = new WeakMap<object, TokenStore.Service>()

/** The store for Effects, one for one store: sessions over it take turns. */
export const serviceOf = (store: Store | TokenStore.Service): TokenStore.Service => {
  if ("scope" in store) {
    return store
  }
  const service =
    services.get(store) ??
    ("set" in store
      ? TokenStore.from(store as OauthTextStore)
      : TokenStore.from({
          get: () => store.get(),
          keep: async (text, id) => store.keep?.(text, id),
          update: async (step) => {
            await store.update((text) => Effect.runPromise(step(text)))
          }
        }))
  services.set(store, service)
  return service
}

/** The tokens of a stored string. */
export const decoded = (text: string | undefined): Tokens | undefined => {
  const tokens: unknown = text === undefined ? undefined : TokenStore.decode(text)
  return (Effect.isEffect(tokens) ? Effect.runSync(tokens as Effect.Effect<unknown>) : tokens) as Tokens | undefined
}

export interface OpenOptions {
  readonly service: Authority
  readonly store?: Store | TokenStore.Service
  readonly session?: Partial<OAuth.OAuthClient>
  readonly catalog?: Omit<CatalogOptions, "fields">
  readonly policies?: ReadonlyArray<CatalogPolicy.Policy>
}

/** On the Effect face, and how to run another Effect of its session. */
export const openEffect = async ({ service, store, session, policies = [] }: OpenOptions) => {
  const { layer: logging, texts: warnings } = recordingLogger()
  const changes: Array<OAuthSession.Change> = []
  const runtime = ManagedRuntime.make(
    OAuthSession.layer({ clientId, redirectUri, ...session }).pipe(
      Layer.provide(Layer.succeed(TokenStore, store ? serviceOf(store) : TokenStore.memory())),
      Layer.provideMerge(
        Layer.mergeAll(service.layer, CatalogConfig.layer({ profile }), CatalogPolicy.layer(...policies), logging)
      )
    )
  )
  const run = async <A, E>(effect: Effect.Effect<A, E, OAuthSession | HttpClient.HttpClient>): Promise<A> => {
    const exit = await runtime.runPromiseExit(effect)
    if (Exit.isSuccess(exit)) {
      return exit.value
    }
    throw Cause.squash(exit.cause)
  }
  const use = <A, E>(step: (session: typeof OAuthSession.Service) => Effect.Effect<A, E, HttpClient.HttpClient>) =>
    run(Effect.flatMap(OAuthSession, step))
  runtime.runFork(
    Effect.flatMap(OAuthSession, ({ changes: all }) =>
      Stream.runForEach(all, (change) => Effect.sync(() => changes.push(change)))
    )
  )
  await sleep(1)
  return {
    run,
    call: effectCall(runtime),
    signIn: (tokens: Tokens) => use(({ signIn }) => signIn(tokens)),
    signOut: () => use(({ signOut }) => signOut),
    refresh: () => use(({ refresh }) => refresh),
    tokens: () => use(({ tokens }) => Effect.map(tokens, Option.getOrUndefined)),
    authorizationRequest: () => use(({ authorizationRequest }) => authorizationRequest),
    exchange: (pending: PendingAuthorization, url: string) =>
      use(({ exchange }) => Effect.map(exchange(pending, url), Option.getOrUndefined)),
    close: () => runtime.dispose(),
    changes,
    warnings,
    [Symbol.asyncDispose]: () => runtime.dispose()
  }
}

const openPromise = async ({ service, store, session: options, catalog: more, policies = [] }: OpenOptions) => {
  const warnings: Array<string> = []
  const changes: Array<OAuthSession.Change> = []
  const logger = { warn: (line: string) => void warnings.push(line) }
  const session = createSession({
    clientId,
    redirectUri,
    profile,
    fetch: service.fetch,
    logger,
    ...(store && { store }),
    ...options
  })
  const catalog = promiseCatalog(service, { session, profile, policies, logger, ...more })
  session.onChange((change) => changes.push(change))
  const close = async () => {
    await session.close()
    await catalog.close()
  }
  return {
    call: promiseCall(catalog),
    signIn: (tokens: Tokens) => session.signIn(tokens),
    signOut: () => session.signOut(),
    refresh: () => session.refresh(),
    tokens: () => session.tokens(),
    authorizationRequest: () => session.authorizationRequest(),
    exchange: (pending: PendingAuthorization, url: string) => session.exchange(pending, url),
    close,
    changes,
    warnings,
    [Symbol.asyncDispose]: close
  }
}

/** A session with a catalog over it. */
export type Opened = Awaited<ReturnType<typeof openPromise>>

/** Both faces by name. */
export const sessionFaces: ReadonlyArray<readonly [string, (options: OpenOptions) => Promise<Opened>]> = [
  ...onlyEffect([["Effect", openEffect] as const]),
  ["promise", openPromise]
]

/** Stores tokens, or removes them, as another session does. */
export const put = (store: TextStore, tokens?: Tokens): unknown =>
  tokens === undefined ? store.remove() : store.set(TokenStore.encode(tokens))

/** A stored string, and stores over it: each has its own steps, as that of another process that knows of no other one. */
export const rowOf = (tokens?: Tokens) => {
  const row = {
    text: tokens && TokenStore.encode(tokens),
    /** Stores tokens, or removes them, whatever else happens. */
    set: (tokens?: Tokens) => {
      row.text = tokens && TokenStore.encode(tokens)
    },
    store: (): TextStore => ({
      get: () => row.text,
      set: (text) => {
        row.text = text
      },
      remove: () => row.set()
    })
  }
  return row
}

/** Holds the responses to requests for tokens, which the service has acted on, until the test opens it. */
export const holding = (service: Authority) => {
  const { promise, open } = gate()
  service.after = async (response) => {
    await promise
    return response
  }
  return { open }
}
