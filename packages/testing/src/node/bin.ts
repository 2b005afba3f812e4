#!/usr/bin/env node
/**
 * `catalog-embedded`: the embedded service on a port, for programs in any language.
 */
import { parseArgs } from "node:util"
import type { ServeOptions } from "./index.js"

const help = `Usage: catalog-embedded [--port <port>] [--host <host>]

Serves an embedded anime and manga catalog for tests and demonstrations. It keeps
lists in memory until it ends. It prints its URL, a client ID and an
access token that it accepts, and the URLs at which users sign in, as lines that
you can paste into a shell.

  --port <port>         from 0 to 65535; 0, the default, is any free port
  --host <host>         a name or an address of this machine, by default
                        127.0.0.1; 0.0.0.0 lets other machines connect
  --consent <answer>    how a sign-in is answered: page, the default, asks the
                        user on an HTML page; allow and deny redirect at once
  --redirect-uri <uri>  a redirect URI of the client, by default
                        http://localhost:8080/callback; can be repeated
  --latency <time>      how long each request waits: milliseconds, or a duration
                        like "2 seconds"
  --fault <json>        a fault of the service, for example
                        '{ "on": "anime.get", "status": 503, "times": 2 }';
                        can be repeated
  --help                prints this

It ends with SIGINT (Ctrl+C) or SIGTERM.
`

const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))

/** A mistake in the arguments. */
const mistake = (message: string): Error => new Error(message.replace(/[.]?$/, ". Try catalog-embedded --help."))

const readArguments = () => {
  try {
    return parseArgs({
      options: {
        port: { type: "string" },
        host: { type: "string" },
        consent: { type: "string" },
        "redirect-uri": { type: "string", multiple: true },
        latency: { type: "string" },
        fault: { type: "string", multiple: true },
        help: { type: "boolean", short: "h" }
      }
    }).values
  } catch (error) {
    throw mistake(messageOf(error))
  }
}

const run = async (options: ServeOptions): Promise<void> => {
  // Help and mistakes are printed before anything is loaded.
  const { serveUntil } = await import("./server.js")
  const ended = new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"]) {
      process.once(signal, () => resolve())
    }
  })
  await serveUntil(ended, options, (service) => {
    process.stdout.write(
      `export CATALOG_BASE_URL=${service.url}\nexport CATALOG_CLIENT_ID=${service.clientId}\n` +
        `export CATALOG_ACCESS_TOKEN=${service.accessToken}\n` +
        `export CATALOG_AUTHORIZE_URL=${service.authorizeUrl}\nexport CATALOG_TOKEN_URL=${service.tokenUrl}\n`
    )
  })
}

const isConsent = (word: string) => word === "page" || word === "allow" || word === "deny"

/** A fault, which the service validates. */
const faultOf = (text: string): never => {
  try {
    return JSON.parse(text) as never
  } catch {
    throw mistake(`--fault must be JSON, for example '{ "status": 503, "times": 2 }', but it is "${text}"`)
  }
}

const main = async (): Promise<void> => {
  try {
    const options = readArguments()
    const { consent = "page", fault: faults = [], help: isAsked, host, latency, port = "0" } = options
    const redirectUris = options["redirect-uri"]
    if (isAsked) {
      process.stdout.write(help)
      return
    }
    if (!/^\d+$/.test(port) || Number(port) > 65_535) {
      throw mistake(`--port must be a whole number from 0 to 65535, but it is "${port}"`)
    }
    if (!isConsent(consent)) {
      throw mistake(`--consent must be page, allow or deny, but it is "${consent}"`)
    }
    const clients = redirectUris && { "embedded-client": { redirectUris } }
    await run({
      port: Number(port),
      ...(host !== undefined && { host }),
      ...(latency !== undefined && { latency: (/^\d+$/.test(latency) ? Number(latency) : latency) as never }),
      faults: faults.map(faultOf),
      oauth: { consent, ...(clients && { clients }) }
    })
  } catch (error) {
    process.stderr.write(`catalog-embedded: ${messageOf(error)}\n`)
    process.exitCode = 1
  }
}

void main()
