// undici's diagnostics channels, without a publisher: OpenTelemetry's instrumentation of undici would add trace headers to
// requests and a second span to each attempt.
const silent = { hasSubscribers: false }
const names = ["beforeConnect", "connected", "connectError", "sendHeaders"]
const ofRequest = ["create", "bodySent", "bodyChunkSent", "bodyChunkReceived", "headers", "trailers", "error"]
module.exports = { channels: Object.fromEntries([...names, ...ofRequest].map((name) => [name, silent])) }
