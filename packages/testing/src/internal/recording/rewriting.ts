/** Requests and responses as they are kept: without secrets, and with other names of users. */
import type { Bytes } from "../base64.js"
import { anyOf, makeMembers, redacted, wordBegin } from "./members.js"
import { pairsOf } from "../pairs.js"
import { type Body, bodyOf, bytesOf, mapJson, type StoredRequest, type StoredResponse, valuesOf } from "./recording.js"

/** A request as a program makes it. Names of headers are in lower case. */
export interface Sent {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Uint8Array
}

/** A response as it came, its body decoded. */
export interface Reply {
  readonly status: number
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  readonly body: Bytes
}

/** Response headers that a client acts on. All others are left out. */
const headersKept = ["content-type", "location", "retry-after", "www-authenticate"]

const isReadable = (text: string): boolean => {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** A path with its segments changed, and always escaped in the same way. */
const mapPath = (path: string, map: (text: string) => string): string =>
  path
    .split("/")
    .map((segment) =>
      isReadable(segment) ? encodeURIComponent(map(decodeURIComponent(segment))).replaceAll("%40", "@") : map(segment)
    )
    .join("/")

const isForm = (contentType = ""): boolean => /^application\/x-www-form-urlencoded\b/i.test(contentType)

/** The values of a form, if it is one. The boundary of multipart is left out: it is new each time. */
const formOf = (
  body: Uint8Array,
  contentType = ""
): ReadonlyArray<readonly [name: string, value: string]> | undefined => {
  if (isForm(contentType)) {
    return pairsOf(new URLSearchParams(new TextDecoder().decode(body)))
  }
  const [, boundary] = /^multipart\/form-data\b.*?;\s*boundary="?([^";]+)/i.exec(contentType) ?? []
  if (boundary === undefined) {
    return undefined
  }
  const parts = new TextDecoder().decode(body).split(`--${boundary}`).slice(1, -1)
  return parts.map((part) => {
    const [, head = "", value = ""] = /^\r?\n([^]*?)\r?\n\r?\n([^]*?)(?:\r?\n)?$/.exec(part) ?? [part, part]
    return [/[;\s]name="?([^";\r\n]*)/i.exec(head)?.[1] ?? "", value]
  })
}

/** A body with its text changed. A part of other bytes is changed where it is text. */
const mapBody = (body: Body, map: (text: string) => string, json: (json: unknown) => unknown): Body => {
  if ("json" in body) {
    return { json: json(body.json) }
  }
  if (body.text !== undefined) {
    return { text: map(body.text) }
  }
  return body.base64 === undefined ? body : { base64: btoa(map(atob(body.base64))) }
}

/** Changes names of users where they stand alone, whatever their case. */
const renaming = (names: ReadonlyMap<string, string>): ((text: string) => string) => {
  if (names.size === 0) {
    return (text) => text
  }
  const writings = new Map(
    [...names].flatMap(([from, to]) => [
      [from.toLowerCase(), to],
      [encodeURIComponent(from).toLowerCase(), encodeURIComponent(to)]
    ])
  )
  // The longest name is first, because a name can begin with another one.
  const all = [...writings.keys()].sort((one, other) => other.length - one.length)
  const pattern = new RegExp(`${wordBegin}(?:${anyOf(all)})(?![\\p{L}\\p{N}_-])`, "giu")
  return (text) => text.replace(pattern, (match) => writings.get(match.toLowerCase()) ?? match)
}

/** How a rewriting learns and removes secrets. Only the recorder has some. */
export interface Secrets {
  /** Takes a secret into account from now on. */
  readonly learn: (value: string) => void
  /** Redacts them, and parts of them. */
  readonly redact: (text: string) => string
  /** Redacts all but short ones: a replay can have others, like "none", and its requests must still be the recorded ones. */
  readonly redactLong: (text: string) => string
}

const noSecrets: Secrets = { learn: () => {}, redact: (text) => text, redactLong: (text) => text }

interface RewritingOptions {
  /** Real names and those in the recording. */
  readonly names?: Readonly<Record<string, string>> | undefined
  /** More members that contain secrets. */
  readonly redactMembers?: ReadonlyArray<string> | undefined
  /** More headers of responses to keep, in lower case. */
  readonly headers?: ReadonlyArray<string> | undefined
}

/** `Retry-After` in seconds: a date would be in the past when it is replayed. */
const secondsOf = (retryAfter: string, date = ""): string => {
  const wait = Math.ceil((Date.parse(retryAfter) - Date.parse(date)) / 1000)
  return /^\d+$/.test(retryAfter.trim()) || Number.isNaN(wait) ? retryAfter : String(Math.max(0, wait))
}

/** Changes names of users on the wire: the service is asked with the real ones, and the program gets those of the recording. */
const makeRenaming = (names: Readonly<Record<string, string>>) => {
  const real = Object.entries(names).filter(([from, to]) => from !== to)
  const rename = renaming(new Map(real))
  const unname = renaming(new Map(real.map(([from, to]) => [to, from])))

  /** A request for the service: with real names. `undefined` if there is nothing to change. */
  const outgoing = ({
    body,
    headers: sent,
    url
  }: Sent): { readonly url: URL; readonly body: Uint8Array } | undefined => {
    if (real.length === 0) {
      return undefined
    }
    const changed = new URL(url)
    changed.pathname = mapPath(url.pathname, unname)
    const renamed = (pairs: URLSearchParams) =>
      new URLSearchParams(pairsOf(pairs).map(([name, value]) => [name, unname(value)])).toString()
    changed.search = renamed(url.searchParams)
    const text = new TextDecoder().decode(body)
    return {
      url: changed,
      body: new TextEncoder().encode(isForm(sent["content-type"]) ? renamed(new URLSearchParams(text)) : unname(text))
    }
  }

  /** A response for the program: with the names of the recording. */
  const incoming = (reply: Reply): Reply => {
    if (real.length === 0) {
      return reply
    }
    const type = reply.headers.find(([name]) => name === "content-type")?.[1]
    return {
      ...reply,
      headers: reply.headers.map(([name, value]) => [name, rename(value)]),
      body: bytesOf(mapBody(bodyOf(reply.body, type), rename, (json) => mapJson(json, rename)))
    }
  }

  return { rename, outgoing, incoming }
}

/** The JSON of a response without secrets; a string, if one of them is spread over several members. */
const withoutSecrets = (json: unknown, secrets: Secrets): Body => {
  const text = JSON.stringify(json)
  // A search of the whole is much cheaper than one of each string, and finds what is spread over several.
  if (secrets.redact(text) === text) {
    return { json }
  }
  const redactedJson = mapJson(json, secrets.redact)
  const rest = secrets.redact(JSON.stringify(redactedJson))
  return rest === JSON.stringify(redactedJson) ? { json: redactedJson } : { text: rest }
}

/** Rewrites exchanges: as they are kept, and as the service and the program see them. */
export const makeRewriting = (
  { headers = [], names = {}, redactMembers = [] }: RewritingOptions,
  secrets: Secrets = noSecrets
) => {
  const { rename, ...traffic } = makeRenaming(names)
  const kept = new Set([...headersKept, ...headers])
  const members = makeMembers(redactMembers, (value) => {
    secrets.learn(value)
    return redacted
  })

  const inRequest = (text: string) => rename(secrets.redactLong(members.inText(text)))
  const pairs = (values: ReadonlyArray<readonly [name: string, value: string]>) =>
    valuesOf(values.map(([name, value]) => [inRequest(name), inRequest(members.ofForm(name, value))]))

  /** A request as it is kept and compared. */
  const request = ({ body, headers: sent, method, url }: Sent): StoredRequest => {
    const contentType = sent["content-type"]
    const form = formOf(body, contentType)
    return {
      method,
      path: mapPath(url.pathname, inRequest),
      query: pairs(pairsOf(url.searchParams)),
      ...(form === undefined
        ? mapBody(bodyOf(body, contentType), inRequest, (json) => mapJson(json, inRequest, members.ofJson))
        : { form: pairs(form) })
    }
  }

  const inResponse = (text: string) => rename(members.inText(text))

  /** A response as it is kept. */
  const response = (reply: Reply): StoredResponse => {
    const header = (name: string) => reply.headers.find(([key]) => key === name)?.[1]
    for (const [name, value] of reply.headers) {
      if (name === "set-cookie") {
        secrets.learn(value.split(";", 1)[0] ?? "")
      }
    }
    const body = bodyOf(reply.body, header("content-type"))
    const inText = (text: string) => secrets.redact(inResponse(text))
    return {
      status: reply.status,
      headers: Object.fromEntries(
        reply.headers.flatMap(([name, value]) =>
          kept.has(name)
            ? [[name, inText(name === "retry-after" ? secondsOf(value, header("date")) : value)] as const]
            : []
        )
      ),
      ...("json" in body
        ? withoutSecrets(mapJson(body.json, inResponse, members.ofJson), secrets)
        : mapBody(body, inText, (json) => json))
    }
  }

  return { request, response, ...traffic }
}
