// Runs a module in its own process, which sends a message when it is ready and then answers requests.
import { fork } from "node:child_process"
import { fileURLToPath } from "node:url"

const running = new Set()

// Also if this process ends early.
process.on("exit", () => {
  for (const child of running) {
    child.kill()
  }
})

/** Starts a module; its first message says that it is ready. One request at a time. */
export const start = async (module, { args = [], execArgv = [], execPath = process.execPath } = {}) => {
  const path = fileURLToPath(module)
  const child = fork(path, args, { execArgv, execPath, stdio: ["ignore", "ignore", "inherit", "ipc"] })
  running.add(child)
  let waiting
  const next = () => new Promise((resolve, reject) => (waiting = { resolve, reject }))
  child.on("message", (message) => waiting.resolve(message))
  child.on("exit", (code) => waiting.reject(new Error(`${[path, ...args.slice(0, 1)].join(" ")} ended with ${code}`)))
  return {
    ready: await next(),
    ask: (question) => {
      const answer = next()
      child.send(question)
      return answer
    },
    stop: () => child.kill()
  }
}
