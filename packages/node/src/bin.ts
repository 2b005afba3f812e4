#!/usr/bin/env node
/**
 * `catalog-embedded`: the embedded service on a port, for programs in any language.
 */
import { parseArgs } from "node:util"
import { serve } from "./testing.js"

const help = `Usage: catalog-embedded [--port <port>] [--host <host>]

Serves an embedded anime and manga catalog for tests and demonstrations. It keeps
lists in memory, and forgets them when it ends. It prints its URL, and a client
identifier and an access token that it knows.

  --port <port>  from 0 to 65535; 0, the default, is any free port
  --host <host>  a name or an address of this machine, by default 127.0.0.1;
                 0.0.0.0 lets other machines connect
  --help         prints this

It ends with SIGINT (Ctrl+C) or SIGTERM.
`

const fail = (message: string): void => {
  process.stderr.write(`catalog-embedded: ${message}\n`)
  process.exitCode = 1
}

const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))

const readOptions = () =>
  parseArgs({
    options: { port: { type: "string" }, host: { type: "string" }, help: { type: "boolean", short: "h" } }
  }).values

const run = async (host: string | undefined, port: number): Promise<void> => {
  const service = await serve({ port, ...(host !== undefined && { host }) })
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => void service.close())
  process.stdout.write(
    `URL: ${service.url}\nclient identifier: ${service.clientId}\naccess token: ${service.accessToken}\n`
  )
}

const main = async (): Promise<void> => {
  try {
    const { help: isAsked, host, port = "0" } = readOptions()
    if (isAsked) {
      process.stdout.write(help)
    } else if (/^\d+$/.test(port) && Number(port) <= 65_535) {
      await run(host, Number(port))
    } else {
      fail(`--port must be a whole number from 0 to 65535, but it is "${port}". Try catalog-embedded --help.`)
    }
  } catch (error) {
    fail(messageOf(error))
  }
}

await main()
