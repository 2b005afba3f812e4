import { onTestFinished, vi } from "vitest"

/** Waits for a condition, also while a test fakes `Date`. Polls for 3 s, shorter than idle timeouts. */
export const eventually = async (
  what: string,
  isSo: () => boolean | Promise<boolean>,
  millis = 3000
): Promise<void> => {
  const end = performance.now() + millis
  while (!(await isSo())) {
    if (performance.now() > end) {
      throw new Error(`timed out: ${what}`)
    }
    await sleep(5)
  }
}

/**
 * Waits for real time, to see that something does not happen meanwhile, or as a slow service does. To wait until something has
 * happened, use `eventually`.
 */
export const sleep = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis))

/** Lets timers run early until the test ends: 5 ms pass in each turn of the event loop. */
export const hurry = (): void => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
  const turn = () => {
    if (vi.isFakeTimers()) {
      vi.advanceTimersByTime(5)
      setImmediate(turn)
    }
  }
  turn()
  onTestFinished(() => void vi.useRealTimers())
}

/** What a promise rejects with; throws if it is fulfilled. */
export const rejection = (promise: Promise<unknown>): Promise<Error> =>
  promise.then(
    (cause: unknown) => {
      throw new Error("a rejection was expected", { cause })
    },
    (error: unknown) => error as Error
  )
