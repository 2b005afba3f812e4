import { spawnSync } from "node:child_process"
import { accessSync, constants } from "node:fs"

const candidates = [
  process.env.CHROMIUM_PATH,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/snap/bin/chromium",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
]

const isExecutable = (path) => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The first Chromium on this machine, or undefined. */
export const findChromium = () => candidates.find((path) => path && isExecutable(path))

/** What it is started with: no sandbox, since tests may run as root, and nothing that talks to anybody by itself. */
export const chromiumArgs = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync"
]

const aptGet = (...args) => {
  const command = ["apt-get", "-o", "DPkg::Lock::Timeout=120", ...args]
  // `sudo -n` fails rather than ask for a password.
  if (process.getuid?.() !== 0) command.unshift("sudo", "-n")
  const { status, stdout, stderr } = spawnSync(command[0], command.slice(1), {
    stdio: ["ignore", "pipe", "pipe"],
    encoding: "utf8",
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" }
  })
  if (status !== 0) console.error(`${command.join(" ")} failed\n${stdout ?? ""}${stderr ?? ""}`)
  return status === 0
}

/** Makes sure of a Chromium; false, after saying what to do, where there can be none. */
export const ensureChromium = () => {
  if (findChromium()) return true
  console.log("Installing Chromium…")
  aptGet("update")
  if (aptGet("install", "-y", "--no-install-recommends", "chromium") && findChromium()) return true
  console.error(
    "The browser tests need Chromium, which is not here and could not be installed.\n" +
      "Install it (Debian, Ubuntu: apt-get install chromium), or set CHROMIUM_PATH to a Chromium or Chrome executable."
  )
  return false
}
