/**
 * A server that users sign in to, as the sign-in guide has it: how a test starts it, and what it does for its visitors.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { expect, onTestFinished } from "vitest"
import { freePort } from "./freePort.mjs"

/** A folder until the end of the test. */
export const folderOfTest = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "recipes-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** Starts a server program until the end of the test, in a folder: its URL, and how to stop it. */
export const startServer = async (
  file: string,
  env: Readonly<Record<string, string>>,
  onLine: (line: string) => unknown = () => {},
  cwd = folderOfTest()
): Promise<{ readonly url: string; readonly stop: () => Promise<unknown> }> => {
  // Config.port of Effect accepts no 0.
  const options = { cwd, env: { ...env, PORT: String(await freePort()) } }
  const child = spawn(process.execPath, [file], { ...options, stdio: ["ignore", "pipe", "pipe"] })
  const closed = once(child, "close")
  const stop = () => {
    child.kill("SIGTERM")
    return closed
  }
  onTestFinished(async () => void (await stop()))
  createInterface({ input: child.stderr }).on("line", onLine)
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      onLine(line)
      const [, port] = /Listening on .*(?:port: |:)(\d+)/.exec(line) ?? []
      if (port !== undefined) {
        resolve({ url: `http://127.0.0.1:${port}`, stop })
      }
    })
    void closed.then(() => reject(new Error(`${file} ended before it listened`)))
  })
}

/** The redirect URI of the servers, which nothing listens on: the test asks the server itself. */
export const visitorsReturnTo = "https://app.example/callback"

const site = new URL(visitorsReturnTo).origin

const ask = (url: string, cookie?: string, method = "GET") =>
  fetch(url, { method, redirect: "manual", headers: { origin: site, ...(cookie !== undefined && { cookie }) } })

/** The last cookie that a response sets, which a browser takes from this host alone and sends by https alone. */
const cookieOf = ({ headers }: Response): string => {
  const [cookie = "", ...attributes] = headers.getSetCookie().at(-1)?.split("; ") ?? []
  expect(cookie).toMatch(/^__Host-/)
  expect(attributes).toEqual(expect.arrayContaining(["Path=/", "HttpOnly", "Secure", "SameSite=Lax"]))
  expect(attributes.join()).not.toContain("Domain")
  return cookie
}

/** What a browser does: to the service, and back to the server. */
const visit = async (url: string) => {
  const response = await ask(`${url}/login`)
  const cookie = cookieOf(response)
  const back = await fetch(response.headers.get("location") ?? "", { redirect: "manual" })
  return { cookie, callback: (back.headers.get("location") ?? "").replace(site, url) }
}

/** Comes back from the service, and returns the cookie of the visitor. */
const comeBack = async ({ callback, cookie }: Awaited<ReturnType<typeof visit>>): Promise<string> => {
  const response = await ask(callback, cookie)
  expect(response.headers.get("location")).toBe(`${site}/`)
  expect(response.headers.getSetCookie()).toHaveLength(2)
  return cookieOf(response)
}

/** Signs a visitor in, and returns the cookie. */
export const signInAt = async (url: string): Promise<string> => comeBack(await visit(url))

/** Expects that the visitor, who comes back from the service, has to sign in again, and is neither signed in nor told to wait. */
const expectToStartAgain = async (callback: string, cookie?: string): Promise<void> => {
  const { headers } = await ask(callback, cookie)
  expect([headers.get("location"), headers.get("retry-after")]).toEqual([`${site}/?failed`, null])
  expect(headers.getSetCookie().join()).not.toContain("visitor")
}

/** Expects that visitors have to sign in again, even after a reload, if the service issues no tokens. */
export const expectNoSignIn = async (url: string): Promise<void> => {
  const { callback, cookie } = await visit(url)
  await expectToStartAgain(callback, cookie)
  await expectToStartAgain(callback, cookie)
}

/** Expects that a visitor who comes back while the folder of tokens cannot be used waits, and reloads. Returns the id. */
export const expectToWaitForStore = async (url: string, folder: string): Promise<string> => {
  const { callback, cookie } = await visit(url)
  renameSync(folder, `${folder}.aside`)
  writeFileSync(folder, "not a folder")
  expect((await ask(callback, cookie)).status).toBe(503)
  rmSync(folder)
  renameSync(`${folder}.aside`, folder)
  return (await comeBack({ callback, cookie })).replace("__Host-catalog-visitor=", "")
}

/** Expects of a server that it responds to a request that it received before it was stopped, and ends. */
export const expectToFinish = async (
  { stop, url }: Awaited<ReturnType<typeof startServer>>,
  path: string,
  headers: Record<string, string>,
  isReceived: () => boolean
): Promise<void> => {
  const response = fetch(url + path, { headers })
  await expect.poll(isReceived).toBe(true)
  const stopped = stop()
  expect((await response).status).toBe(200)
  // An exit code, because the program handles the signal.
  expect(await stopped).toEqual([expect.any(Number), null])
  await expect(fetch(url + path, { headers })).rejects.toThrow("fetch failed")
}

/** Expects that a server keeps its visitors apart, and lets only those sign in again who have to. */
export const expectVisitorsApart = async (url: string): Promise<void> => {
  const [one, other] = [await visit(url), await visit(url)]
  expect((await ask(`${url}/me`, one.cookie)).status).toBe(401)
  expect((await ask(`${url}/me`, "__Host-catalog-visitor=")).status).toBe(401)
  expect((await ask(`${url}/me`, "__Host-catalog-visitor=a%20b")).status).toBe(401)
  // The redirect of one visitor signs no other one in.
  await expectToStartAgain(one.callback, other.cookie)
  await expectToStartAgain(one.callback)
  const visitor = await comeBack(one)
  expect(await comeBack(one)).toBe(visitor)
  // Another sign-in of the same browser, which the user denies, or whose code the service refuses, as one that has expired.
  const { callback, cookie } = await visit(url)
  const cookies = `${visitor}; ${cookie}`
  await expectToStartAgain(callback.replace(/code=[^&]+/, "error=access_denied"), cookies)
  await expectToStartAgain(other.callback.replace(/code=[^&]+/, "code=another"), `${visitor}; ${other.cookie}`)
  expect(await (await ask(`${url}/me`, cookies)).json()).toEqual({ name: "sample_reader" })
  expect((await ask(`${url}/me`, other.cookie)).status).toBe(401)
  const loggedOut = await ask(`${url}/logout`, visitor, "POST")
  expect([loggedOut.status, cookieOf(loggedOut)]).toEqual([303, "__Host-catalog-visitor="])
  expect((await ask(`${url}/me`, visitor)).status).toBe(401)
}
