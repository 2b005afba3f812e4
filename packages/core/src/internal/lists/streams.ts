/**
 * Makes an operation that has pages from its declaration. A separate module, so that a page which reads no lists does not
 * bundle it.
 */
// Counterpart for Effect 4: effect4/core/src/internal/lists/streams.ts
// Counterpart for catalog-client: packages/promise/counterparts/core/internal/lists/streams.ts
import * as Channel from "effect/Channel"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { ClientError } from "../../CatalogError.js"
import type { Declaration, Errors, DeclaredReply } from "../declaration/declaration.js"
import {
  type SignatureInputs,
  type CallServices,
  copyInputs,
  type OperationOf,
  operation,
  type UntypedArguments
} from "../call/interpreter.js"
import { collect, items, type MakePull, pages, type Pull, withWholeLists } from "./wholeLists.js"

/** The methods of an operation with pages. The type of an `Entry` comes from the signature. */
interface WholeList<D extends Declaration, Entry = never> {
  readonly pages: <P extends object, O>(
    ...inputs: SignatureInputs<D, P, O>
  ) => Stream.Stream<DeclaredReply<D, P, O>, Errors<D>, CallServices>
  readonly items: (...inputs: SignatureInputs<D, object, object>) => Stream.Stream<Entry, Errors<D>, CallServices>
  readonly collect: (...inputs: SignatureInputs<D, object, object>) => Effect.Effect<Entry, Errors<D>, CallServices>
}

const entriesOf = (
  next: Pull<ReadonlyArray<unknown>>
): Channel.Channel<Chunk.Chunk<unknown>, unknown, ClientError, unknown, void, unknown, CallServices> =>
  Channel.flatMap(
    Channel.fromEffect(next),
    Option.match({
      onNone: () => Channel.void,
      onSome: (entries) => Channel.flatMap(Channel.write(Chunk.unsafeFromArray(entries)), () => entriesOf(next))
    })
  )

/** Replaces `Stream.fromPull`, which would make a bundle much larger. */
export const fromPull = (pull: MakePull<unknown>): Stream.Stream<unknown, ClientError, CallServices> =>
  Stream.fromChannel(Channel.unwrapScoped(Effect.map(pull, entriesOf)))

/** Makes an operation with the methods that read all of its pages. */
export const makePaged = <const D extends Declaration>(declaration: D): OperationOf<D> & WholeList<D> => {
  const lists = {
    pages: (...args: UntypedArguments) => fromPull(pages(declaration, copyInputs(declaration, args))),
    items: (...args: UntypedArguments) => fromPull(items(declaration, copyInputs(declaration, args))),
    collect: (...args: UntypedArguments) => collect(declaration, copyInputs(declaration, args))
  } as WholeList<D, unknown>
  return Object.assign(withWholeLists(operation(declaration)), lists as WholeList<D>)
}

/** {@link makePaged}, for the client's own operations. */
export const paged = <const D extends Declaration & { readonly limit: object }>(
  declaration: D
): OperationOf<D> & WholeList<D> => makePaged(declaration)
