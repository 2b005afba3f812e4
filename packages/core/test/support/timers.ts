type Timer = ReturnType<typeof setTimeout>

/**
 * Counts, from here on, the timers that were set and neither fired nor were cleared. Those that do not hold Node's process
 * are left out. Vitest's own are not counted, because it kept the originals.
 */
export const countTimers = (): (() => number) => {
  const timers = new Set<Timer>()
  globalThis.setTimeout = new Proxy(setTimeout, {
    apply: (set, self, [run, ...rest]: [(...args: ReadonlyArray<unknown>) => void, ...ReadonlyArray<unknown>]) => {
      const timer: Timer = Reflect.apply(set, self, [
        (...args: ReadonlyArray<unknown>) => {
          timers.delete(timer)
          run(...args)
        },
        ...rest
      ])
      timers.add(timer)
      return timer
    }
  })
  globalThis.clearTimeout = new Proxy(clearTimeout, {
    apply: (clear, self, [timer]: [Timer]) => {
      timers.delete(timer)
      Reflect.apply(clear, self, [timer])
    }
  })
  // A browser's timer is a number.
  const holds = (timer: Partial<Timer>) => timer.hasRef?.() ?? true
  return () => [...timers].filter(holds).length
}
