/**
 * The cookies of sign-ins: of the visitor who is signed in, and of each sign-in that was started.
 */
import { sha256 } from "./random.js"
import * as Effect from "effect/Effect"

/** How many sign-ins of a browser can be pending: with more, its header of cookies would become too long for servers. */
const mostPending = 4

/** Seconds that a user may take to come back. */
const pendingLife = 10 * 60
const visitorLife = 365 * 24 * 60 * 60

/** How long a return path may be, encoded. */
const maxPathLength = 1_000

const visitorPattern = /^[\w-]{43}$/
const pendingPattern = /^([\w-]{43})[.](\d{1,15})[.]([^;]*)$/

/** A sign-in that a browser has started. */
export interface Pending {
  readonly visitor: string
  /** Where the visitor wants to go afterwards; empty for the default. */
  readonly path: string
}

/** Cookies by name, read in linear time. A name that occurs twice is left out: nothing says which of the two is ours. */
const cookiesIn = (request: Request): ReadonlyMap<string, string> => {
  const cookies = new Map<string, string>()
  const repeated = new Set<string>()
  for (const pair of (request.headers.get("cookie") ?? "").split(";")) {
    const end = pair.indexOf("=")
    const name = pair.slice(0, Math.max(end, 0)).trim()
    if (cookies.has(name)) {
      repeated.add(name)
    }
    cookies.set(name, pair.slice(end + 1).trim())
  }
  repeated.forEach((name) => cookies.delete(name))
  return cookies
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return ""
  }
}

/**
 * The cookies of a site. With the prefix `__Host-`, a browser takes a cookie of this host only, over https: no subdomain can
 * set it. Over http, on the developer's machine, there is no prefix, because Safari drops a secure cookie there.
 */
export const cookiesOf = ({ isSecure }: { readonly isSecure: boolean }) => {
  const prefix = `${isSecure ? "__Host-" : ""}catalog-`
  const pendingPrefix = `${prefix}pending-`
  const set = (name: string, value: string, maxAge: number): string =>
    `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAge}${isSecure ? "; Secure" : ""}`
  const remove = (name: string): string => set(name, "", 0)
  // The name has the hash of the state, because the state is a secret until the user is back.
  const pendingName = (state: string) => Effect.map(sha256(state), (hash) => pendingPrefix + hash.slice(0, 22))

  return {
    /** The visitor who is signed in. */
    visitorIn: (request: Request): string | undefined => {
      const visitor = cookiesIn(request).get(`${prefix}visitor`) ?? ""
      return visitorPattern.test(visitor) ? visitor : undefined
    },
    setVisitor: (visitor: string) => set(`${prefix}visitor`, visitor, visitorLife),
    removeVisitor: remove(`${prefix}visitor`),

    /** The sign-in of a redirect, and what removes its cookie. */
    pendingIn: (request: Request, state: string): Effect.Effect<[pending: Pending | undefined, removed: string]> =>
      Effect.map(pendingName(state), (name) => {
        const [, visitor, , path = ""] = pendingPattern.exec(cookiesIn(request).get(name) ?? "") ?? []
        return [visitor === undefined ? undefined : { visitor, path: decoded(path) }, remove(name)]
      }),
    /** Keeps a sign-in, in place of the oldest ones if there are too many. */
    setPending: (request: Request, state: string, pending: Pending, now: number): Effect.Effect<Array<string>> =>
      Effect.map(pendingName(state), (name) => {
        const startOf = (value: string) => Number(pendingPattern.exec(value)?.[2] ?? 0)
        const old = Array.from(cookiesIn(request))
          .filter(([name]) => name.startsWith(pendingPrefix))
          .sort(([, one], [, other]) => startOf(other) - startOf(one))
          .slice(mostPending - 1)
        const path = encodeURIComponent(pending.path)
        const value = [pending.visitor, now, path.length > maxPathLength ? "" : path].join(".")
        return [...old.map(([name]) => remove(name)), set(name, value, pendingLife)]
      })
  }
}
