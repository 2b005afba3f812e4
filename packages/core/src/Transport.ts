/**
 * How requests are sent: an `HttpClient` with a faster way to send a request and read its whole response.
 *
 * @since 0.2.0
 */
export { layerFetch } from "./platform/fetchClient.js"
export { make, type Receiver, type Send, type TransportRequest } from "./platform/send.js"
