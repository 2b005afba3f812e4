// A program that is measured by turns: small slices of calls, alternately with and without something.
import { many } from "./many.mjs"

/** Answers a message, the number of pairs of slices, with microseconds of CPU for a call. `prepare` gives the call of a slice. */
export const answerWith = async (prepare) => {
  const slice = async (on, count) => {
    const call = prepare(on)
    const cpu = process.cpuUsage()
    await many(call, count, 64)
    const { user, system } = process.cpuUsage(cpu)
    return (user + system) / count
  }
  const measure = async (pairs) => {
    const taken = { on: [], off: [] }
    for (let pair = 0; pair < pairs; pair++) {
      for (const on of pair % 2 === 0 ? [true, false] : [false, true]) {
        taken[on ? "on" : "off"].push(await slice(on, 256))
      }
    }
    return taken
  }
  process.on("message", (pairs) => void measure(pairs).then((taken) => process.send(taken)))
  await measure(20)
  process.send("ready")
}
