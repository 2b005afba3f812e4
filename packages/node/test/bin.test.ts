import { createCatalog } from "@catalog-client/node"
import { serve } from "@catalog-client/node/testing"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { describe, expect, it, onTestFinished } from "vitest"

const folder = new URL("..", import.meta.url)
const manifest = JSON.parse(readFileSync(new URL("package.json", folder), "utf8")) as {
  readonly bin: { readonly "catalog-embedded": string }
}

/** Starts the program that the manifest names. */
const start = (...args: ReadonlyArray<string>) => {
  const path = fileURLToPath(new URL(manifest.bin["catalog-embedded"], folder))
  const child = spawn(process.execPath, [path, ...args], { stdio: ["ignore", "pipe", "pipe"] })
  onTestFinished(() => void child.kill("SIGKILL"))
  return child
}

/** All that a program prints until it ends, and how it ends. */
const ended = async (...args: ReadonlyArray<string>) => {
  const child = start(...args)
  let stdout = ""
  let stderr = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text))
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text))
  const [code] = (await once(child, "close")) as [number | null]
  return { code, stdout, stderr }
}

describe("catalog-embedded", () => {
  it.each(["SIGINT", "SIGTERM"] as const)(
    "prints a line for each thing that a client needs, and ends with 0 on %s",
    async (signal) => {
      const child = start("--port", "0", "--host", "localhost")
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
      const next = async (): Promise<string> => String((await lines.next()).value)
      const said = [await next(), await next(), await next()]
      expect(said).toEqual([
        expect.stringMatching(/^URL: http:\/\/localhost:\d+\/v2$/),
        "client identifier: embedded-client",
        "access token: embedded-token"
      ])
      const [baseUrl, clientId, accessToken] = said.map((line) => line.slice(line.indexOf(": ") + 2))
      await using catalog = createCatalog({ baseUrl, clientId, accessToken })
      expect((await catalog.user.me()).name).toBe("sample_reader")
      // The connection of the client is open then.
      child.kill(signal)
      expect(await once(child, "close")).toEqual([0, null])
    }
  )

  it("says what to do where the port is in use", async () => {
    await using service = await serve()
    const { port } = new URL(service.url)
    expect(await ended("--port", port)).toEqual({
      code: 1,
      stdout: "",
      stderr: `catalog-embedded: cannot serve on 127.0.0.1:${port}: the port is in use. Give another port, or 0 for any free one.\n`
    })
  })

  it.each(["abc", "-1", "65536", "1.5", "", "0x10"])("says what a port is where it is %j", async (port) => {
    expect(await ended(`--port=${port}`)).toEqual({
      code: 1,
      stdout: "",
      stderr: `catalog-embedded: --port must be a whole number from 0 to 65535, but it is "${port}". Try catalog-embedded --help.\n`
    })
  })

  it("says that it does not know an option", async () => {
    const { code, stderr, stdout } = await ended("--prot", "1")
    expect([code, stdout]).toEqual([1, ""])
    expect(stderr).toMatch(/^catalog-embedded: Unknown option '--prot'/)
  })

  it("explains itself", async () => {
    const { code, stderr, stdout } = await ended("--help")
    expect([code, stderr]).toEqual([0, ""])
    expect(stdout).toContain("--port <port>")
    expect(stdout).toContain("--host <host>")
  })
})
