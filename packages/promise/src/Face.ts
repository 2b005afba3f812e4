/**
 * The face of promises.
 *
 * @since 0.2.0
 */
import type { Face } from "#core/Face.js"

/** A whole list for `for await`. Each loop reads it from the beginning; a single iterator continues where it stopped. */
export interface AsyncList<A> extends AsyncIterable<A> {
  [Symbol.asyncIterator](): AsyncIterableIterator<A>
}

/** A reply is a promise, rejected with the operation's own errors; a whole list is an {@link AsyncList}. */
export interface PromiseFace extends Face {
  readonly reply: Promise<this["A"]>
  readonly replies: AsyncList<this["A"]>
}
