// Runs a module in its own process, which sends a message when it is ready and then answers requests.
import { fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"

/** @type {Set<import("node:child_process").ChildProcess>} */
const running = new Set()

// Also if this process ends early.
process.on("exit", () => {
  for (const child of running) {
    child.kill()
  }
})

/**
 * @template Ready, Question, Answer
 * @typedef {object} Process
 * @property {Ready} ready its first message
 * @property {(question: Question) => Promise<Answer>} ask
 * @property {() => void} stop
 */

/**
 * Starts a module; its first message says that it is ready. One request at a time.
 *
 * @template Ready, Question, Answer
 * @param {URL} module
 * @param {{ readonly args?: ReadonlyArray<string>, readonly execArgv?: Array<string>, readonly execPath?: string | undefined }} [options]
 * @returns {Promise<Process<Ready, Question, Answer>>}
 */
export const start = async (module, { args = [], execArgv = [], execPath = process.execPath } = {}) => {
  const path = fileURLToPath(module)
  const child = fork(path, args, { execArgv, execPath, stdio: ["ignore", "ignore", "inherit", "ipc"] })
  running.add(child)
  // A message, or the end of the process without one.
  const next = async () => {
    const aborter = new AbortController()
    const ended = once(child, "exit", aborter).then(([code]) => {
      throw new Error(`${[path, ...args.slice(0, 1)].join(" ")} ended with ${code}`)
    })
    try {
      const [message] = await Promise.race([once(child, "message", aborter), ended])
      return message
    } finally {
      aborter.abort()
    }
  }
  return {
    ready: await next(),
    ask: (question) => {
      const answer = next()
      child.send(/** @type {import("node:child_process").Serializable} */ (question))
      return answer
    },
    stop: () => void child.kill()
  }
}

/**
 * What a module of its own process does once it is ready: it answers each request.
 *
 * @template Question, Answer
 * @param {(question: Question) => Promise<Answer>} answer
 */
export const answerWith = (answer) => {
  process.on("message", (/** @type {Question} */ question) => {
    void answer(question).then((taken) => process.send?.(taken))
  })
  process.send?.("ready")
}
