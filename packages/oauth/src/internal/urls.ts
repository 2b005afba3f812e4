/**
 * Reads the URLs of a site, and of this machine.
 */
import { Values } from "@catalog-client/core/internal"

/** A path of the site with its query, resolved as a browser would; `undefined` if it leads elsewhere. */
export const pathOn = (origin: string, path: string): string | undefined => {
  const url = Values.urlIn(path, origin)
  const found = url?.origin === origin ? url.pathname + url.search : undefined
  // A path that begins with two slashes is another origin, for the next program that reads it.
  return found === undefined || found.startsWith("//") ? undefined : found
}

/** Whether a host is this machine. Core's `isLoopback` takes `*.localhost` too, at which nothing here listens. */
export const isThisMachine = (hostname: string): boolean => /^(?:localhost|127(?:[.]\d+){3}|\[::1\])$/.test(hostname)
