import { createCatalog } from "catalog-client"
import { serve } from "catalog-client/testing"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { describe, expect, onTestFinished, test } from "vitest"

const folder = new URL("../..", import.meta.url)
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
  test.each(["SIGINT", "SIGTERM"] as const)(
    "prints each thing that a client needs as a line for a shell, and ends with 0 on %s",
    async (signal) => {
      const child = start("--port", "0", "--host", "localhost")
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
      const next = async (): Promise<string> => String((await lines.next()).value)
      const said = [await next(), await next(), await next(), await next(), await next()]
      expect(said).toEqual([
        expect.stringMatching(/^export CATALOG_BASE_URL=http:\/\/localhost:\d+\/v2$/),
        "export CATALOG_CLIENT_ID=embedded-client",
        "export CATALOG_ACCESS_TOKEN=embedded-token",
        expect.stringMatching(/^export CATALOG_AUTHORIZE_URL=http:\/\/localhost:\d+\/v1\/oauth2\/authorize$/),
        expect.stringMatching(/^export CATALOG_TOKEN_URL=http:\/\/localhost:\d+\/v1\/oauth2\/token$/)
      ])
      const [baseUrl, clientId, accessToken] = said.map((line) => line.slice(line.indexOf("=") + 1))
      await using catalog = createCatalog({ baseUrl, clientId, accessToken })
      expect((await catalog.user.me()).name).toBe("sample_reader")
      // The connection of the client is open then.
      child.kill(signal)
      expect(await once(child, "close")).toEqual([0, null])
    }
  )

  test("says what to do if the port is in use", async () => {
    await using service = await serve()
    const { port } = new URL(service.url)
    expect(await ended("--port", port)).toEqual({
      code: 1,
      stdout: "",
      stderr: `catalog-embedded: cannot serve on 127.0.0.1:${port}: the port is in use. Use another port, or 0 for any free one.\n`
    })
  })

  test("takes the highest port", async () => {
    // It is served there, or in use by another program: either way it is no mistake.
    const child = start("--port", "65535", "--host", "127.0.0.1")
    const streams = [child.stdout, child.stderr].map((stream) => once(stream, "data"))
    const [text] = (await Promise.race(streams)) as [Buffer]
    expect(String(text)).toMatch(/^export CATALOG_BASE_URL=http:\/\/127[.]0[.]0[.]1:65535\/|: the port is in use[.]/)
  })

  /** The response of the authorize URL for this redirect URI. */
  const authorized = async (redirectUri: string, ...args: ReadonlyArray<string>) => {
    const child = start(...args)
    let authorizeUrl = ""
    for await (const line of createInterface({ input: child.stdout })) {
      const [name, value = ""] = line.split("=")
      if (name === "export CATALOG_AUTHORIZE_URL") {
        authorizeUrl = value
        break
      }
    }
    const query = new URLSearchParams({
      response_type: "code",
      client_id: "embedded-client",
      redirect_uri: redirectUri,
      code_challenge: "0".repeat(43)
    })
    return fetch(`${authorizeUrl}?${query}`, { redirect: "manual" })
  }

  test("asks the user on a page, or redirects at once", async () => {
    const usual = "http://localhost:8080/callback"
    expect(await (await authorized(usual)).text()).toContain("<strong>sample_reader</strong>")
    const allowed = await authorized(usual, "--consent", "allow")
    expect(allowed.headers.get("location")).toMatch(/^http:\/\/localhost:8080\/callback\?code=\w+$/)
    const [one, other] = ["http://127.0.0.1:4011/a", "my.app://b"]
    const denied = await authorized(other, "--consent=deny", "--redirect-uri", one, "--redirect-uri", other)
    expect(denied.headers.get("location")).toContain("my.app://b?error=access_denied&")
  })

  test("waits for the latency, and has the faults", async () => {
    const faults = ["--fault", '{ "on": "forum.boards", "status": 503 }', "--fault", '{ "status": 418, "times": 1 }']
    const child = start("--latency", "200 millis", ...faults)
    const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string]
    const url = line.slice(line.indexOf("=") + 1)
    const started = performance.now()
    const statuses = []
    for (const path of ["/forum/boards", "/anime/1", "/anime/1"]) {
      statuses.push((await fetch(url + path)).status)
    }
    expect(statuses).toEqual([503, 418, 200])
    expect(performance.now() - started).toBeGreaterThan(590)
  })

  test.each([
    [
      ["--port=65536"],
      '--port must be a whole number from 0 to 65535, but it is "65536". Try catalog-embedded --help.\n'
    ],
    [["--port", "1.5"], 'but it is "1.5"'],
    [["--consent", "ask"], '--consent must be page, allow or deny, but it is "ask". Try catalog-embedded --help.\n'],
    [["--redirect-uri", "/callback"], 'one is "/callback"'],
    [["--fault", "503"], "a fault of the embedded service takes an object of options, but got 503"],
    [["--fault", "{ status: 503 }"], "--fault must be JSON"],
    [["--prot", "1"], "Unknown option '--prot'"]
  ])("explains %j", async (args, message) => {
    const { code, stderr, stdout } = await ended(...args)
    expect([code, stdout]).toEqual([1, ""])
    expect(stderr).toMatch(/^catalog-embedded: .+\n$/)
    expect(stderr).toContain(message)
  })

  test("prints its help", async () => {
    const { code, stderr, stdout } = await ended("--help")
    expect([code, stderr]).toEqual([0, ""])
    expect(stdout).toContain("--port <port>")
    expect(stdout).toContain("--host <host>")
    expect(stdout).toContain("--consent <answer>")
    expect(stdout).toContain("--redirect-uri <uri>")
    expect(stdout).toContain("--latency <time>")
    expect(stdout).toContain("--fault <json>")
  })
})
