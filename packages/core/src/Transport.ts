/**
 * How requests are sent: an `HttpClient` with a fast path for whole exchanges.
 *
 * @since 0.2.0
 */
export { layerFetch } from "./platform/fetchClient.js"
export { make, type Receiver, type Send, type TransportRequest } from "./platform/send.js"
