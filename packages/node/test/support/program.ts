import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"

/** Runs a program to its end: what it printed, and its exit code. */
export const runProgram = async (program: string): Promise<readonly [printed: string, code: unknown]> => {
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
    stdio: ["ignore", "pipe", "inherit"]
  })
  let printed = ""
  child.stdout.on("data", (chunk) => (printed += chunk))
  const [code] = await once(child, "exit")
  return [printed.trim(), code]
}
