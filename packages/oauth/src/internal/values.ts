/**
 * Reads values that may be anything. Mostly copies of small functions of core, whose subpath `internal` is for what must not differ.
 */

const tryOr = <A>(get: () => A): A | undefined => {
  try {
    return get()
  } catch {
    return undefined
  }
}

/** Whether a value, which may be `undefined`, has a method. */
export const hasMethod = (value: unknown, name: string): boolean =>
  typeof (value as { readonly [name: string]: unknown } | null | undefined)?.[name] === "function"

/** A member that is a string; `undefined` if reading it throws. */
export const stringIn = (value: unknown, key: string): string | undefined => {
  const found = tryOr(() => (value as { readonly [key: string]: unknown })[key])
  return typeof found === "string" ? found : undefined
}

/** The value of a JSON string; `undefined` if it is not JSON. */
export const jsonIn = (text: string): unknown => tryOr<unknown>(() => JSON.parse(text))

/** A valid URL, or `undefined`. `URL.canParse` is missing in some engines, or always false. */
export const urlIn = (text: string | URL, base?: string): URL | undefined => tryOr(() => new URL(text, base))

/** A path of the site with its query, resolved as a browser would; `undefined` if it leads elsewhere. */
export const pathOn = (origin: string, path: string): string | undefined => {
  const url = urlIn(path, origin)
  const found = url?.origin === origin ? url.pathname + url.search : undefined
  // A path that begins with two slashes is another origin, for the next program that reads it.
  return found === undefined || found.startsWith("//") ? undefined : found
}

/** Whether a host is this machine. Core's `isLoopback` takes `*.localhost` too, at which nothing here listens. */
export const isThisMachine = (hostname: string): boolean => /^(?:localhost|127(?:[.]\d+){3}|\[::1\])$/.test(hostname)

/** Memoizes a function by its object argument; a result is kept for as long as the object lives. */
export const memoize = <K extends object, V extends {}>(make: (key: K) => V): ((key: K) => V) => {
  const values = new WeakMap<K, V>()
  return (key) => {
    const value = values.get(key) ?? make(key)
    values.set(key, value)
    return value
  }
}
