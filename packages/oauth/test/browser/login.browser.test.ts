/**
 * The whole way of a sign-in, in real tabs: an application, the service's own page, and back.
 * The number of a title is the row of docs/faults.md that it proves.
 */
import { commands } from "@vitest/browser/context"
import { describe, expect, test } from "vitest"
import type { Stats, WorldOptions } from "../../../../test/tabs.js"
import { isFull, sampled } from "../../../core/test/support/full.js"
import { sleep } from "../../../core/test/support/eventually.js"

declare module "@vitest/browser/context" {
  interface BrowserCommands {
    openWorld: (options: WorldOptions) => Promise<readonly [world: number, origin: string]>
    closeWorld: (world: number) => Promise<void>
    openTab: (world: number) => Promise<number>
    inTab: (world: number, tab: number, expression: string) => Promise<unknown>
    answerInTab: (world: number, tab: number, button: string) => Promise<void>
    moveTab: (world: number, tab: number, how: "back" | "reload") => Promise<void>
    advance: (world: number, millis: number) => Promise<void>
    pass: (world: number, millis: number) => Promise<void>
    statsOf: (world: number) => Promise<Stats>
  }
}

const minute = 60_000
const hour = 60 * minute

/** How often two tabs meet an expired token. */
const rounds = isFull ? 4 : 2

/** Real tabs take their time on a busy machine. */
const patience = { timeout: 180_000 }

/** All that a script of the page can read. */
const visible = `[
  location.href,
  document.referrer,
  JSON.stringify(history.state),
  document.documentElement.outerHTML,
  JSON.stringify(sessionStorage),
  JSON.stringify(localStorage)
].join("\\n")`

const open = async (options: WorldOptions = {}) => {
  const [world, origin] = await commands.openWorld(options)
  const tab = async () => {
    const number = await commands.openTab(world)
    return {
      run: (expression: string) => commands.inTab(world, number, expression),
      answer: (button: string) => commands.answerInTab(world, number, button),
      move: (how: "back" | "reload") => commands.moveTab(world, number, how)
    }
  }
  return {
    origin,
    tab,
    advance: (millis: number) => commands.advance(world, millis),
    pass: (millis: number) => commands.pass(world, millis),
    stats: () => commands.statsOf(world),
    [Symbol.asyncDispose]: () => commands.closeWorld(world)
  }
}

test("a user signs in, reads a list, is refreshed, and signs out", patience, async () => {
  await using world = await open()
  const tab = await world.tab()
  expect(await tab.run("app.resumed()")).toBe("nothing")
  expect(await tab.run("app.name()")).toBe("ClientAuthError SignedOut")
  await tab.run("app.login()")
  await tab.answer("Allow")
  expect(await tab.run("app.resumed()")).toBe("done")
  expect(await tab.run("location.href")).toBe(`${world.origin}/callback`)
  expect(await tab.run("app.name()")).toBe("sample_reader")
  expect(await tab.run("app.list()")).toBeGreaterThan(0)
  // The service has ended the access token before the client expected it.
  await world.advance(2 * hour)
  expect(await tab.run("app.list()")).toBeGreaterThan(0)
  expect(await world.stats()).toMatchObject({ exchanges: 1, refreshes: 1, grants: 2 })
  // Another start of the page: by reload, and from the service's page with the same sign-in.
  await tab.move("reload")
  expect(await tab.run("app.resumed()")).toBe("nothing")
  expect(await tab.run("app.name()")).toBe("sample_reader")
  await tab.move("back")
  await tab.answer("Allow")
  expect(await tab.run("app.resumed()")).toBe("nothing")
  expect(await tab.run("location.href")).toBe(`${world.origin}/callback`)
  expect(await tab.run("app.name()")).toBe("sample_reader")
  expect(await world.stats()).toMatchObject({ exchanges: 1 })
  await tab.run("app.signOut()")
  expect(await tab.run("app.name()")).toBe("ClientAuthError SignedOut")
  expect(await tab.run("localStorage.length + sessionStorage.length")).toBe(0)
  // 29: a canary in every secret.
  const { lines, secrets } = await world.stats()
  expect(secrets.length).toBeGreaterThan(6)
  const text = `${String(await tab.run(visible))}\n${lines.join("\n")}`
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
})

test("3: a component that StrictMode mounts twice signs in once", patience, async () => {
  await using world = await open({ script: "react" })
  const tab = await world.tab()
  await tab.run("app.login()")
  await tab.answer("Allow")
  const text = "document.getElementById('root').innerText.replace(/\\s+/g, ' ')"
  await expect.poll(() => tab.run(text), { timeout: 60_000 }).toBe("shared: sample_reader own: sample_reader")
  expect(await tab.run("app.resumed()")).toBe("done,done")
  expect(await tab.run("location.href")).toBe(`${world.origin}/callback`)
  expect(await world.stats()).toMatchObject({ exchanges: 1, grants: 1 })
})

const locks = [
  ["with", true],
  ["without", false]
] as const

describe.each(sampled(locks, 2))("24: two tabs %s Web Locks", (_, hasLocks) => {
  test("share one user, and refresh in turn", patience, async () => {
    await using world = await open({ hasLocks })
    const one = await world.tab()
    const other = await world.tab()
    expect(await one.run("navigator.locks !== undefined")).toBe(hasLocks)
    await one.run("app.login()")
    await one.answer("Allow")
    expect(await one.run("app.resumed()")).toBe("done")
    for (let round = 0; round < rounds; round++) {
      // Tokens that were refused within a minute would not be refreshed again.
      await world.pass(2 * minute)
      await world.advance(2 * hour)
      const names = await Promise.all([one, other, one, other].map((tab) => tab.run("app.name()")))
      if (hasLocks) {
        expect(names).toEqual(Array.from(names, () => "sample_reader"))
      }
      // Without a lock, a refused tab knows of the tokens of the other one by its next call.
      for (const tab of [one, other]) {
        await expect.poll(() => tab.run("app.name()")).toBe("sample_reader")
      }
    }
    const { grants, refreshes, exchanges } = await world.stats()
    // One grant for each round: the service refuses a refresh token that was redeemed.
    expect([exchanges, grants]).toEqual([1, rounds + 1])
    // Each tab shares its refresh among its calls.
    expect(refreshes).toBeLessThanOrEqual(2 * rounds)
    await other.run("app.signOut()")
    await world.pass(5_000)
    expect(await one.run("app.name()")).toBe("ClientAuthError SignedOut")
    expect(await other.run("app.name()")).toBe("ClientAuthError SignedOut")
  })
})

test("24: a lock that is never released delays calls only for seconds", patience, async () => {
  await using world = await open()
  const one = await world.tab()
  const other = await world.tab()
  await one.run("app.login()")
  await one.answer("Allow")
  expect(await one.run("app.resumed()")).toBe("done")
  const third = await world.tab()
  await third.run("void navigator.locks.request('catalog-client.tokens', () => new Promise(() => {}))")
  await world.advance(2 * hour)
  const calls = Promise.all([one.run("app.name()"), other.run("app.name()")])
  let isOver = false
  void calls.finally(() => (isOver = true))
  // A request for tokens may take ten seconds, and a tab waits a little longer. The clocks go on meanwhile.
  for (const millis of [0, 3_000]) {
    await world.pass(millis)
    await sleep(300)
    expect(isOver).toBe(false)
  }
  await world.pass(8_000)
  await calls
  for (const tab of [one, other]) {
    await expect.poll(() => tab.run("app.name()")).toBe("sample_reader")
  }
  expect(await world.stats()).toMatchObject({ grants: 2 })
})
