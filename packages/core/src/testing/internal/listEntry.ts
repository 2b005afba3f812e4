/** Changing and deleting an entry of a list. */
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { showStatus } from "./fields.js"
import { idOf } from "./inputs.js"
import type { Kind } from "./kind.js"
import { badRequest, forbidden, notFound, type Refusal } from "./response.js"
import type { Call } from "./service.js"
import type { Entry, Item, List } from "./store.js"

/** A time as the service writes it: without milliseconds, and with an offset instead of `Z`. */
const timestamp = (now: number): string => `${new Date(now).toISOString().slice(0, 19)}+00:00`

/** The item of the request, and the caller's list. */
const target = <I extends Item, E extends Entry>(
  kind: Kind<I, E>,
  id: string,
  { caller, service }: Call
): Either.Either<{ readonly item: I; readonly list: List<I, E> }, Refusal> => {
  const item = kind.shelf(service.store).byId.get(idOf(id) ?? -1)
  if (caller.account === undefined) {
    return Either.left(forbidden())
  }
  return item === undefined ? Either.left(notFound()) : Either.right({ item, list: kind.list(caller.account) })
}

/** A body that is not a form would change nothing; the service responds with an error instead. */
const formOf = (
  request: HttpServerRequest.HttpServerRequest
): Effect.Effect<ReadonlyArray<[name: string, value: string]>, Refusal> =>
  Effect.gen(function* () {
    const text = yield* Effect.orElseSucceed(request.text, () => "")
    const type = request.headers["content-type"] ?? ""
    if (text === "") {
      return []
    }
    if (!type.toLowerCase().startsWith("application/x-www-form-urlencoded")) {
      return yield* badRequest("invalid content type")
    }
    const form: Array<[string, string]> = []
    new URLSearchParams(text).forEach((value, name) => form.push([name, value]))
    return form
  })

/** Everything is validated before anything is written. A missing entry is created; an empty form only updates its time. */
export const update = <I extends Item, E extends Entry>(
  kind: Kind<I, E>,
  id: string,
  request: HttpServerRequest.HttpServerRequest,
  call: Call
): Effect.Effect<unknown, Refusal> =>
  Effect.gen(function* () {
    const { item, list } = yield* target(kind, id, call)
    const values = yield* formOf(request)
    const known = list.get(item.id)
    let entry = known ?? kind.blank(item.id)
    for (const [name, value] of values) {
      const field = kind.form.get(name)
      if (field === undefined) {
        return yield* badRequest("This form should not contain extra fields.")
      }
      entry = (yield* field.read(value, item))(entry)
    }
    const status = entry.status === "" ? kind.firstStatus(entry) : entry.status
    const written = { ...entry, status, updated_at: timestamp(call.now) }
    list.set(written)
    return showStatus(kind, written, () => true)
  })

export const remove = <I extends Item, E extends Entry>(
  kind: Kind<I, E>,
  id: string,
  call: Call
): Either.Either<unknown, Refusal> =>
  Either.flatMap(target(kind, id, call), ({ item, list }) =>
    list.delete(item.id) || call.service.deleteMissing === 200 ? Either.right([]) : Either.left(notFound())
  )
