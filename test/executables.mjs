import { spawnSync } from "node:child_process"
import { accessSync, constants } from "node:fs"

/**
 * @typedef {object} Executable
 * @property {string} tests what needs it
 * @property {string} variable the variable of the environment that names another path
 * @property {ReadonlyArray<string>} places
 * @property {ReadonlyArray<string>} [packages] its Debian packages, if they have other names
 */

/** @typedef {"chromium" | "firefox-esr" | "webkit" | "redis-server" | "postgresql"} ExecutableName */

/**
 * The executables that tests need besides Node: their possible paths, and their Debian package.
 *
 * @type {Readonly<Record<ExecutableName, Executable>>}
 */
const executables = {
  // Without the windows of Chromium, pages take a quarter less CPU time.
  chromium: {
    packages: ["chromium-headless-shell"],
    tests: "browser tests",
    variable: "CHROMIUM_PATH",
    places: [
      "/usr/bin/chromium-headless-shell",
      "/usr/bin/chromium",
      "/usr/bin/chromium-browser",
      "/usr/bin/google-chrome",
      "/usr/bin/google-chrome-stable",
      "/snap/bin/chromium",
      "/Applications/Chromium.app/Contents/MacOS/Chromium",
      "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
    ]
  },
  "firefox-esr": {
    tests: "runtime tests in Firefox",
    variable: "FIREFOX_PATH",
    places: ["/usr/bin/firefox-esr", "/usr/bin/firefox"]
  },
  // WebKitGTK's own small browser, which needs a display.
  webkit: {
    packages: ["libwebkit2gtk-4.1-0", "xvfb", "xauth"],
    tests: "runtime tests in WebKit",
    variable: "WEBKIT_MINIBROWSER_PATH",
    places: [
      "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser",
      "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.0/MiniBrowser"
    ]
  },
  "redis-server": {
    tests: "tests of the shared rate limit",
    variable: "REDIS_SERVER_PATH",
    places: ["/usr/bin/redis-server", "/usr/local/bin/redis-server", "/opt/homebrew/bin/redis-server"]
  },
  postgresql: {
    tests: "tests of a fleet of mirrors, and of tokens in PostgreSQL",
    variable: "POSTGRES_PATH",
    places: [17, 16, 15, 14]
      .map((version) => `/usr/lib/postgresql/${version}/bin/postgres`)
      .concat("/usr/local/bin/postgres", "/opt/homebrew/bin/postgres")
  }
}

/** @param {string} path */
const isExecutable = (path) => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/**
 * The path of an executable on this machine, or undefined.
 *
 * @param {ExecutableName} name
 */
export const findExecutable = (name) => {
  const { places, variable } = executables[name]
  return [process.env[variable] ?? "", ...places].find((path) => path !== "" && isExecutable(path))
}

/** The arguments of Chromium: no sandbox, because tests may run as root, and no background requests. */
export const chromiumArgs = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync"
]

/** @param {ReadonlyArray<string>} args */
const aptGet = (...args) => {
  const apt = ["apt-get", "-o", "DPkg::Lock::Timeout=120", ...args]
  // `sudo -n` fails rather than ask for a password.
  const [command = "", ...rest] = process.getuid?.() === 0 ? apt : ["sudo", "-n", ...apt]
  const { status, stdout, stderr } = spawnSync(command, rest, {
    stdio: ["ignore", "pipe", "pipe"],
    encoding: "utf8",
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" }
  })
  if (status !== 0) {
    console.error(`${command} ${rest.join(" ")} failed\n${stdout ?? ""}${stderr ?? ""}`)
  }
  return status === 0
}

/**
 * Installs an executable if it is missing. If that fails, prints what to do and returns false.
 *
 * @param {ExecutableName} name
 */
export const ensureExecutable = (name) => {
  if (findExecutable(name)) {
    return true
  }
  console.log(`Installing ${name}…`)
  aptGet("update")
  const { packages = [name], tests, variable } = executables[name]
  if (aptGet("install", "-y", "--no-install-recommends", ...packages) && findExecutable(name)) {
    return true
  }
  console.error(
    `The ${tests} need ${name}, which was not found and could not be installed.\n` +
      `Install it (on Debian: apt-get install ${packages.join(" ")}), or set ${variable} to such an executable.`
  )
  return false
}
