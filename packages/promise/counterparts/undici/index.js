// The parts of undici that the transport uses, each from its own file: its index would load `fetch`, WebSockets, caches and mocks.
import Agent from "undici/lib/dispatcher/agent.js"
import Client from "undici/lib/dispatcher/client.js"
import Pool from "undici/lib/dispatcher/pool.js"
import buildConnector from "undici/lib/core/connect.js"

export { Agent, buildConnector, Client, Pool }
