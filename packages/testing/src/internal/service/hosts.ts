/** The hosts of the catalog: a program may send requests to others over the same client. */

/** The base URL of the live service. */
export const liveUrl = "https://api.myanimelist.net/v2"

/** Where users of the live service sign in. */
const liveSignIn = "https://myanimelist.net"

/** Names and addresses of this machine, and reserved names. */
const unreal =
  /^(?:(?:.+\.)?(?:localhost|test|example|invalid|example\.(?:com|net|org))|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])\.?$/

const hostOf = (host: string): URL | undefined =>
  /^[^/?#@\s]+$/.test(host) && URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : undefined

/** The first invalid host. */
export const invalidHost = (hosts: ReadonlyArray<string>): string | undefined =>
  hosts.find((host) => hostOf(host) === undefined)

/** Whether the host of a URL is one of the catalog's. */
export const standsForCatalog = ({ host, hostname }: URL, hosts: ReadonlyArray<string>): boolean =>
  unreal.test(hostname) ||
  [new URL(liveUrl).host, new URL(liveSignIn).host, ...hosts].some((name) => {
    const catalogHost = hostOf(name)
    return (
      catalogHost !== undefined &&
      (catalogHost.port === "" ? catalogHost.hostname === hostname : catalogHost.host === host)
    )
  })
