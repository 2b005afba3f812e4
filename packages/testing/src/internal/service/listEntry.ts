/** Changing and deleting an entry of a list. */
import { showStatus } from "./fields.js"
import type { Kind } from "./kind.js"
import { itemOf } from "./reads.js"
import { badRequest, notFound } from "./response.js"
import { accountOf, type GrantedRequest } from "./service.js"
import type { Entry, Item } from "./store.js"

/** A time as the service writes it: without milliseconds, and with an offset instead of `Z`. */
const timestamp = (now: number): string => `${new Date(now).toISOString().slice(0, 19)}+00:00`

/** A body that is not a form would change nothing; the service responds with an error instead. */
const formOf = ({ body, headers }: GrantedRequest): URLSearchParams => {
  const type = headers["content-type"] ?? ""
  if (body !== "" && !type.toLowerCase().startsWith("application/x-www-form-urlencoded")) {
    throw badRequest("invalid content type")
  }
  return new URLSearchParams(body)
}

/** Everything is validated before anything is written. A missing entry is created; an empty form only updates its time. */
export const update = <I extends Item, E extends Entry>(
  kind: Kind<I, E>,
  request: GrantedRequest<"fields", "id">
): unknown => {
  const item = itemOf(kind, request)
  const list = kind.list(accountOf(request))
  let entry = list.get(item.id) ?? kind.blank(item.id)
  formOf(request).forEach((value, name) => {
    const field = kind.form.get(name)
    if (field === undefined) {
      throw badRequest("This form should not contain extra fields.")
    }
    entry = field.read(value, item)(entry)
  })
  const status = entry.status === "" ? kind.firstStatus(entry) : entry.status
  const isFinished = request.service.quirks.finishDate !== "completed" || status === "completed"
  const { finish_date } = isFinished ? entry : (list.get(item.id) ?? kind.blank(item.id))
  const written = { ...entry, status, finish_date, updated_at: timestamp(request.now) }
  list.set(written)
  return showStatus(kind, written, () => true)
}

export const remove = <I extends Item, E extends Entry>(
  kind: Kind<I, E>,
  request: GrantedRequest<never, "id">
): unknown => {
  const item = itemOf(kind, request)
  if (!kind.list(accountOf(request)).delete(item.id) && request.service.quirks.deleteMissing === 404) {
    throw notFound()
  }
  return []
}
