#!/usr/bin/env node
import { run } from "./cli.js"

// Ctrl+C cancels the call in flight.
const cancelled = new AbortController()
process.once("SIGINT", () => cancelled.abort())

const output = { print: (line: string) => console.log(line), warn: (line: string) => console.error(line) }
process.exitCode = await run(process.argv.slice(2), process.env, output, cancelled.signal)
