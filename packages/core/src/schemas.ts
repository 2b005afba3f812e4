/**
 * What each operation takes and returns, as Schemas for your own interfaces: an `HttpApi`, a group of RPCs, a form, the
 * tools of a language model, a property test.
 *
 * Each has the doc comments of its type as descriptions, and plausible samples. Inputs have ranges and refuse what is out of
 * them. Words and replies are open, as the service is: the known words are examples. Decoding takes an update that changes
 * nothing, which the client refuses; with Effect 4, decoding refuses it too.
 *
 * @since 0.2.0
 */
import type { AnimeOperations } from "./anime.js"
import type { EffectFace } from "./Face.js"
import type { ForumOperations } from "./forum.js"
import { operations as described } from "./generated/described.js"
import type { MangaOperations } from "./manga.js"
import type { UserOperations } from "./user.js"

export * from "./generated/described.js"
export type { Described, DescribedInputs, DescribedOperation, DescribedOptions } from "./internal/schemas/described.js"

/** Operations with the doc comments of the client's. */
type Commented<Of extends Record<keyof Operations, unknown>, Operations> = {
  readonly [Name in keyof Operations]: Of[Name]
}

/**
 * The operations by domain and name, as `Catalog` has them.
 *
 * @example
 * ```ts
 * import { operations } from "@catalog-client/core/schemas"
 * import { Schema } from "effect"
 *
 * const { description, inputs } = operations.anime.search
 *
 * export const help = `${description} It takes ${Object.keys(inputs.fields).join(", ")}.`
 *
 * // Throws for a blank q and for a limit of 5000.
 * export const parse = Schema.decodeUnknownSync(inputs)
 * ```
 */
export const operations: {
  readonly anime: Commented<(typeof described)["anime"], AnimeOperations<EffectFace>>
  readonly manga: Commented<(typeof described)["manga"], MangaOperations<EffectFace>>
  readonly user: Commented<(typeof described)["user"], UserOperations<EffectFace>>
  readonly forum: Commented<(typeof described)["forum"], ForumOperations<EffectFace>>
} = described
