import { Transport } from "@catalog-client/core"
import * as HttpClient from "@effect/platform/HttpClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/**
 * A transport that responds at once, with the same bytes each time.
 *
 * @param {string} body
 */
export const overMemory = (body) => {
  const bytes = new TextEncoder().encode(body)
  const client = Transport.make(
    HttpClient.make(() => Effect.never),
    (_, receiver) => {
      receiver.onHeaders(200, () => undefined)
      receiver.onData(bytes)
      receiver.onEnd()
      return () => {}
    }
  )
  return Layer.succeed(HttpClient.HttpClient, client)
}

/**
 * The same as a dispatcher, for `catalog-client`.
 *
 * @param {string} body
 */
export const dispatcherOver = (body) => {
  const bytes = Buffer.from(body)
  const controller = { abort: () => {}, pause: () => {}, resume: () => {} }
  return {
    dispatch: (/** @type {object} */ _, /** @type {Record<string, Function>} */ handler) => {
      handler["onRequestStart"]?.(controller)
      handler["onResponseStart"]?.(controller, 200, {})
      handler["onResponseData"]?.(controller, bytes)
      handler["onResponseEnd"]?.(controller, {})
      return true
    }
  }
}
