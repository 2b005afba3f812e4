/**
 * A transport under every fault of `wireFaults.ts`, and what is left of each afterwards: in Node and in a browser.
 */
import { isClientError } from "@catalog-client/core/guards"
import type { HttpClient } from "@effect/platform"
import type { Layer } from "effect"
import { describe, expect, test } from "vitest"
import { eventually, sleep } from "./eventually.js"
import { type Outcome as Came, openFaces } from "./faces.js"
import type { Stats } from "./faultServer.js"
import * as Fibers from "./fibers.js"
import {
  type Fault,
  faults,
  type Outcome,
  outcomeOf,
  type Step,
  type Transport,
  transports,
  well
} from "./wireFaults.js"
import { onlyEffect } from "./only.js"

export interface Platform {
  /** Its name in the table. */
  readonly name: Transport
  readonly layer: Layer.Layer<HttpClient.HttpClient>
  readonly faces: ReadonlyArray<keyof typeof openFaces>
  /** Where each fault is met. */
  readonly urls: Readonly<Record<string, string>>
  readonly stats: () => Promise<Readonly<Record<string, Stats>>>
  /** Timers that are running. */
  readonly timers: () => number
  /** What else keeps the process alive: sockets, … */
  readonly handles?: () => ReadonlyArray<string>
  /** Uncaught errors, and what the platform warned of. */
  readonly uncaught: ReadonlyArray<unknown>
  /** Whether its connections are closed with the Layer's scope; those of a `fetch` are the platform's. */
  readonly closes: boolean
  /** The faults that it is to meet; all, unless given. */
  readonly only?: ReadonlyArray<Fault>
}

/** Milliseconds after a timeout at which a response still counts as in time, on a busy machine. */
const slack = 2000

/** A signal, and its listeners. */
const countedSignal = () => {
  const controller = new AbortController()
  const { signal } = controller
  const listeners = new Set<unknown>()
  const add = signal.addEventListener.bind(signal)
  const remove = signal.removeEventListener.bind(signal)
  return {
    abort: () => controller.abort(),
    listeners,
    signal: Object.assign(signal, {
      addEventListener: (...[type, listener, options]: Parameters<typeof add>) => {
        listeners.add(listener)
        add(type, listener, options)
      },
      removeEventListener: (...[type, listener, options]: Parameters<typeof remove>) => {
        listeners.delete(listener)
        remove(type, listener, options)
      }
    })
  }
}

const inherited = Object.getOwnPropertyNames(Object.prototype).join()

/** Checks the outcome of a call. */
export const check = (came: Came | undefined, expected: Outcome, timeout: number) => {
  if ("answer" in expected) {
    expect(came).toEqual({ ok: true, value: expected.answer })
    return
  }
  if (came?.ok !== false) {
    throw new Error(`${expected._tag} was expected, not ${String(came?.value)}`)
  }
  const { error } = came
  expect(error).toMatchObject(expected)
  expect(error).toMatchObject({
    attempts: 1,
    method: expect.any(String),
    ...(isLate(expected) && { timeoutMs: timeout })
  })
  expect(isClientError(error)).toBe(true)
  expect(String(error)).not.toMatch(/undefined|NaN|\[object/)
  expect(JSON.stringify(error)).toContain(expected.reason)
}

const isLate = (outcome: Outcome) => "reason" in outcome && outcome.reason === "Timeout"

/** Whether a connection cannot be reused, because no response on it was complete. */
const ends = ({ wire }: Fault, outcome: Outcome) =>
  "_tag" in outcome &&
  outcome._tag === "ClientNetworkError" &&
  !(Array.isArray(wire) && wire.every((step: Step) => typeof step === "object" && "body" in step))

export const underFire = ({
  name,
  layer,
  faces,
  urls,
  stats,
  timers,
  handles = () => [],
  uncaught,
  closes,
  only = faults
}: Platform): void =>
  describe.each(faces)(`${name} under fire, on the %s face`, (face) => {
    const open = (fault: Fault, timeout: number, signal: AbortSignal) =>
      openFaces[face]({ layer }, { baseUrl: urls[fault.name], accessToken: "t", clientId: "c", timeout, signal })

    const isOnNode = transports[name] === "Node"

    const seen = async (fault: Fault): Promise<Stats> => {
      const { [fault.name]: one } = await stats()
      if (one === undefined) {
        throw new Error(`no server is called ${fault.name}`)
      }
      return one
    }

    const nothingIsLeft = async () => {
      await eventually("no fiber is left", () => Fibers.running() === 0)
      await eventually("no timer is left", () => timers() === 0)
      await eventually("nothing holds the process", () => handles().length === 0)
      expect(uncaught).toEqual([])
    }

    test.each(only)("$name", async (fault) => {
      const { wire, tls, timeout = 30_000, operation = "anime.get", after } = fault
      const expected = outcomeOf(fault, name)
      const { signal, listeners } = countedSignal()
      {
        await using session = open(fault, timeout, signal)
        if (after !== undefined) {
          check(await session.call("anime.get", { id: 2 }), { answer: well(2) }, timeout)
          await sleep(after.pause)
        }
        const began = performance.now()
        const outcome = await session.call(operation, { id: 1 })
        expect(performance.now() - began).toBeLessThan(timeout + slack)
        check(outcome, expected, timeout)

        expect(listeners.size).toBe(0)
        await nothingIsLeft()
        if (ends(fault, expected)) {
          await eventually("its connection is closed", async () => (await seen(fault)).met === 0)
        }
        if (typeof wire !== "string" && tls === undefined) {
          check(await session.call("anime.get", { id: 3 }, { timeout: 10_000 }), { answer: well(3) }, timeout)
        }
      }
      if (closes) {
        await eventually("every connection is closed", async () => (await seen(fault)).open === 0)
      }
      expect(listeners.size).toBe(0)
      await nothingIsLeft()
      expect(Object.getOwnPropertyNames(Object.prototype).join()).toBe(inherited)
    })

    // They count the fibers of Effect, and the bundle has another copy of it.
    onlyEffect(test)("the counters see a call in flight", async () => {
      const stall = faults.find(({ name }) => name === "stall within the body")
      if (stall === undefined) {
        throw new Error("there is no such fault")
      }
      const { signal, listeners, abort } = countedSignal()
      await using session = open(stall, 10_000, signal)
      const call = session.call("anime.get", { id: 1 })
      await eventually("the fault is met", async () => (await seen(stall)).met === 1)
      expect({ fiber: Fibers.running() > 0, timer: timers() > 0, listeners: listeners.size }).toEqual({
        fiber: true,
        timer: true,
        listeners: 1
      })
      if (isOnNode) {
        expect(handles()).not.toEqual([])
      }
      abort()
      expect(await call).toMatchObject({ ok: false, error: { reason: "Cancelled" } })
      await nothingIsLeft()
    })

    test("another origin has received nothing", async () => {
      expect((await stats())["elsewhere"]).toMatchObject({ connections: 0, requests: 0 })
    })
  })
