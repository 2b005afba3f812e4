/**
 * Reads the URLs of a site, and of this machine.
 */
import { Values } from "@catalog-client/core/internal"

/** A path of the site with its query, resolved as a browser would; `undefined` if it leads elsewhere. */
export const pathOn = (origin: string, path: string): string | undefined => {
  const url = Values.urlIn(path, origin)
  const pathAndQuery = url?.origin === origin ? url.pathname + url.search : undefined
  // The next program that reads a path with two slashes at its beginning takes it for another origin.
  return pathAndQuery === undefined || pathAndQuery.startsWith("//") ? undefined : pathAndQuery
}

/** Whether a host is this machine. Core's `isLoopback` takes `*.localhost` too, at which nothing here listens. */
export const isThisMachine = (hostname: string): boolean => /^(?:localhost|127(?:[.]\d+){3}|\[::1\])$/.test(hostname)
