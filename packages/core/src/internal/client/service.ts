/**
 * The operations as a type, and the service of a `CatalogClient`.
 */
import type * as Effect from "effect/Effect"
import type { AnimeOperations } from "../../anime.js"
import type { ClientFace, Face, FieldsDefault } from "../../Face.js"
import type { ForumOperations } from "../../forum.js"
import type { MangaOperations } from "../../manga.js"
import type { Call, Stub } from "../../Operation.js"
import type { UserOperations } from "../../user.js"
import type { StubOf } from "../declaration/inference.js"
import type { CachedCall } from "../policies/policy.js"
import type { CredentialsService } from "../settings/slots.js"

/** The operations, on any face; `D` is the default for calls without a selector. */
export interface CatalogOperations<F extends Face, D = never> {
  /** Reads and searches anime; rankings, seasons, suggestions; the user's own entries. */
  readonly anime: AnimeOperations<F, D>
  /** Reads and searches manga; rankings; the user's own entries. */
  readonly manga: MangaOperations<F, D>
  /** Profiles and lists. */
  readonly user: UserOperations<F, D>
  /** Boards, topics and posts. */
  readonly forum: ForumOperations<F>
}

/** The operations of a client, with no further requirements; `D` is the default for calls without a selector. */
export interface CatalogClientService<D extends FieldsDefault | undefined = never> extends CatalogOperations<
  ClientFace,
  D
> {
  /**
   * Calls a custom operation: `client.call(operation, params, options)`, and `call.pages`, `call.items` and `call.collect`
   * for whole lists.
   */
  readonly call: Call<ClientFace>
  /**
   * The same client for another user. Making one takes less than a millisecond, so a server can make one for each request.
   *
   * @example
   * ```ts
   * import { CatalogClient, Credentials } from "@catalog-client/core"
   * import { Effect } from "effect"
   *
   * export const profileOf = (accessToken: string) =>
   *   Effect.flatMap(CatalogClient, (client) => client.withCredentials(Credentials.make({ accessToken })).user.me())
   * ```
   */
  readonly withCredentials: (credentials: CredentialsService) => CatalogClientService<D>
  /**
   * Drops replies from the `Resilience.cache` that a call here would use: all of them, or those for which a function returns
   * `true`, whoever the user is. The reply of a read in flight goes to its caller but is not kept. Without a cache, there is
   * nothing to drop.
   *
   * @example
   * ```ts
   * import { CatalogClient } from "@catalog-client/core"
   * import { Effect } from "effect"
   *
   * export const dropForum = Effect.flatMap(CatalogClient, (client) =>
   *   client.invalidateCache(({ operation }) => operation.startsWith("catalog.forum."))
   * )
   * ```
   */
  readonly invalidateCache: (filter?: (call: CachedCall) => boolean) => Effect.Effect<void>
}

/** The operations that a test replaces. */
export type CatalogClientStubs = {
  readonly [Domain in keyof CatalogOperations<ClientFace>]?: {
    readonly [Name in keyof CatalogOperations<ClientFace>[Domain]]?: StubOf<CatalogOperations<ClientFace>[Domain][Name]>
  }
} & {
  /** The custom operations that a test replaces, each by `Operation.stub`. */
  readonly call?: ReadonlyArray<Stub>
}
