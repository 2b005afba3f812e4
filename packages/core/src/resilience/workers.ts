/**
 * Cloudflare Workers.
 */

/**
 * Whether a call must not wait for another one: in a Worker the other call can belong to a request that has ended, and all
 * that it was doing ends with the request, without a sign.
 */
export const waitsAlone = (): boolean =>
  (globalThis.navigator as WorkerNavigator | undefined)?.userAgent === "Cloudflare-Workers"
