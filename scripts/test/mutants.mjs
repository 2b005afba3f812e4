// Which faults the tests find: puts each of a fixed sample of mistakes into dist, and runs tests until one fails.
//
// npm test -- mutants             all of them: an hour on two cores
// npm test -- mutants retry.js    those whose line of the table contains a word
//
// To compare the tests of two commits, run it in a worktree of each. A mistake whose code is not there any more is an error:
// choose another place for it.
import { spawn } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../setup.mjs"

/**
 * The project of vitest.config.ts, a part of the names of the files to try first, the file in dist, its text, and the mistake.
 *
 * @type {ReadonlyArray<readonly [project: string, files: string, name: string, text: string, mistake: string]>}
 */
const mutants = [
  // Calls
  [
    "unit",
    "repliesAndErrors",
    "core internal/call/exchange.js",
    "this.#size > this.maxBytes",
    "this.#size >= this.maxBytes"
  ],
  [
    "unit",
    "repliesAndErrors",
    "core internal/call/exchange.js",
    '? this.#validated("") : Effect.fail',
    "? Effect.fail(networkError(this.#call, reason, cause)) : Effect.fail"
  ],
  [
    "unit",
    "repliesAndErrors",
    "core internal/reply/errors.js",
    "status >= 200 && status < 300",
    "status >= 200 && status < 308"
  ],
  ["unit", "repliesAndErrors", "core internal/reply/retryAfter.js", "Number(value) * 1000", "Number(value)"],
  [
    "unit",
    "repliesAndErrors",
    "core internal/reply/validate.js",
    "status === 401 && { credentialSent",
    "status === 403 && { credentialSent"
  ],
  ["unit", "repliesAndErrors", "core internal/reply/validate.js", "body: shown,", 'body: shown ?? "",'],
  ["unit", "repliesAndErrors", "core internal/reply/guard.js", "maxDepth = 500", "maxDepth = 501"],
  ["unit", "mismatches", "core internal/reply/guard.js", "? Number.isFinite(value) :", '? typeof value === "number" :'],
  [
    "unit",
    "repliesAndErrors",
    "core internal/redaction/redactIn.js",
    "{ operation, method, url",
    '{ operation, method: "GET", url'
  ],
  [
    "unit",
    "mismatches",
    "core internal/reply/mismatches.js",
    "this.#omitted.splice(omittedCount)",
    "this.#omitted.slice(omittedCount)"
  ],
  ["unit", "cancellation", "core internal/call/timeout.js", 'signal.removeEventListener("abort", calls);', ""],
  ["unit", "session", "core internal/call/interpreter.js", "slots.renew === undefined", "slots.renew !== null"],
  ["unit", "requests", "core internal/declaration/inputs.js", "!/^\\.{0,2}$/.test(value)", 'value !== ""'],
  ["unit", "requests", "core internal/declaration/inputs.js", "isMe(value) ? ownName", "value === ownName ? ownName"],
  // Lists
  ["unit", "lists", "core internal/lists/walk.js", "has(offsetName) ? to > offset", "has(offsetName) ? true"],
  ["unit", "lists", "core internal/lists/walk.js", "return advances ? read(", "return true ? read("],
  ["unit", "lists", "core internal/lists/walk.js", "{ ...options, prefetch: 0 }", "{ ...options, prefetch: 2 }"],
  ["unit", "lists", "core internal/lists/walk.js", "() => first.slice(0, count)", "() => first"],
  // Policies
  ["unit", "retry", "core internal/common/statuses.js", "429, 500, 502, 503, 504)", "429, 500, 503, 504)"],
  ["unit", "retry", "core resilience/retry.js", "(error.retryAfter ?? 0) <= settings.maxRetryAfter", "true"],
  [
    "unit",
    "cache",
    "core resilience/cache.js",
    "this.#byRead.size > this.capacity",
    "this.#byRead.size > this.capacity + 1"
  ],
  ["unit", "cache", "core resilience/cache.js", "!pending.isOvertaken && ", ""],
  ["unit", "dedupe", "core resilience/dedupe.js", "(!read.hasFirst && isBroken(exit))", "false"],
  ["unit", "dedupe", "core resilience/dedupe.js", "call.timeout, writes, read", "call.timeout, 0, read"],
  [
    "unit",
    "breaker",
    "core resilience/breaker.js",
    "(this.#isOnTrial || now < this.#openUntil)",
    "now < this.#openUntil"
  ],
  [
    "unit",
    "rateLimit",
    "core resilience/rateLimit.js",
    "Math.min(maxHold, error.retryAfter ?? hold)",
    "error.retryAfter ?? hold"
  ],
  ["unit", "rateLimit", "core resilience/rateLimit.js", "first()?.();", ""],
  // Redaction
  ["unit", "secrets", "core internal/redaction/redactIn.js", "        ...secrets,\n", ""],
  [
    "unit",
    "secrets",
    "core internal/redaction/redactIn.js",
    "return origin + redactIn(call, url.slice(origin.length), maxLength)",
    "return url"
  ],
  [
    "stress",
    "canary",
    "core internal/reply/errors.js",
    "toRecord(cause, (text) => redactIn(call, text, maxShown))",
    "toRecord(cause, (text) => text)"
  ],
  [
    "stress",
    "canary",
    "core internal/reply/errors.js",
    "redactIn(call, value.slice(0, maxKeptLength))",
    "value.slice(0, maxKeptLength)"
  ],
  ["stress", "canary", "core internal/reply/validate.js", "const shown = shownBody(call, body)", "const shown = body"],
  [
    "unit",
    "secrets",
    "core internal/reply/errors.js",
    "[redact(key), redactJson(member, redact)]",
    "[key, redactJson(member, redact)]"
  ],
  [
    "stress",
    "canary",
    "core internal/lists/walk.js",
    "redactIn(call, link.slice(0, maxLinkLength / 2))",
    "link.slice(0, maxLinkLength / 2)"
  ],
  [
    "unit",
    "CatalogError",
    "core internal/errors/TaggedError.js",
    "configurable: true, writable",
    "enumerable: true, writable"
  ],
  // Sessions
  ["unit", "session", "oauth internal/session.js", "user !== known && this.#now()", "false && this.#now()"],
  ["unit", "session", "oauth internal/session.js", "state.failures < 2 ?", "true ?"],
  ["unit", "session", "oauth internal/session.js", "this.#used.includes(state)", "false"],
  ["unit", "session", "oauth internal/session.js", "this.#stopWaiting();", ""],
  [
    "unit",
    "session",
    "oauth internal/session.js",
    "this.#user === user ? this.#end(why) : Effect.void",
    "this.#end(why)"
  ],
  ["unit", "session", "oauth internal/stored.js", "age >= 0 && age <", "age <"],
  ["unit", "session", "oauth internal/stored.js", "yield* this.#learn(Option.getOrUndefined(stored));", ""],
  ["unit", "session", "oauth internal/stored.js", "if (isOurPending || isNews)", "if (isOurPending)"],
  ["unit", "session", "oauth internal/stored.js", "decision === this.#pending && !isLate && tries > 1", "false"],
  ["unit", "session", "oauth internal/storeTransaction.js", "++steps > 1", "false"],
  ["unit", "session", "oauth TokenStore.js", "(yield* read) !== text", "false"],
  ["unit", "session", "oauth TokenStore.js", "isOthers && text !== undefined", "false"],
  ["unit", "grants", "oauth internal/authorization.js", "others.length > 0 || ", ""],
  // Transports, and what else is only on Node
  ["unit", "Transport", "core platform/fetch.js", "reader?.cancel().catch(constVoid);", ""],
  ["unit", "clients", "core platform/client.js", 'redirect: "manual"', 'redirect: "follow"'],
  ["stress", "wireFaults", "node dispatch.js", "this.controller?.abort(ended);", ""],
  ["stress", "transport", "node dispatch.js", "String(coding).toLowerCase()", 'String(coding).split(",")[0]'],
  ["stress", "transport", "node dispatch.js", "this.closeIfUnused();", ""],
  ["node", "redis", "node redisBucket.js", "due < held or ", ""],
  ["node", "fileTokenStore", "oauth node/fileStore.js", 'open(path, "wx", 0o600', 'open(path, "wx", 0o644'],
  ["node", "fileTokenStore", "oauth node/fileStore.js", "!(await isHeld())", "false"],
  ["stress", "tokenStores", "oauth stores/redisTokens.js", "if not isOwner then return 0 end", ""],
  ["stress", "tokenStores", "oauth stores/sql.js", "AND lease_owner = ${owner}", ""],
  ["node", "login", "oauth node/loopback.js", '!place.hosts.has(headers.host?.toLowerCase() ?? "") || ', ""],
  // The recorder and the embedded service
  ["unit", "recorder", "testing internal/tape.js", "            stored();\n", ""],
  ["unit", "recorder", "testing internal/recordedSecrets.js", "words.has(part) ? redacted : part", "part"],
  ["unit", "recorder", "testing internal/recording.js", "Math.min(known.used++, last)", "Math.min(known.used, last)"],
  ["unit", "access", "testing internal/access.js", "grant.expiresAt <= now", "grant.expiresAt < now"],
  ["unit", "paging", "testing internal/paging.js", "quirks.shortPages === true", "false"],
  ["unit", "oauth", "testing internal/oauth.js", "authorization.challenge !==", "false &&"]
]

/** Milliseconds for one run: a mistake can keep it from ending. */
const timeout = 900_000

/**
 * Whether a test of a project fails.
 *
 * @param {string} project
 * @param {ReadonlyArray<string>} files
 * @returns {Promise<boolean>}
 */
const isFound = (project, files) =>
  new Promise((resolve) => {
    const vitest = join(root, "node_modules/vitest/vitest.mjs")
    const isolate = project === "stress" ? [] : ["--no-isolate"]
    const args = [
      vitest,
      "run",
      "--project",
      project,
      "--bail",
      "1",
      "--passWithNoTests",
      "--maxWorkers=1",
      "--minWorkers=1",
      ...isolate,
      ...files
    ]
    child = spawn(process.execPath, args, { cwd: root, stdio: "ignore", timeout })
    child.on("close", (code) => resolve(code !== 0))
  })

/** @type {import("node:child_process").ChildProcess | undefined} */
let child
let restore = () => {}
process.on("exit", () => {
  child?.kill()
  restore()
})
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => process.exit(1))
}

const words = process.argv.slice(2)
const chosen = mutants.filter((mutant) => words.every((word) => mutant.join(" ").includes(word)))
const places = chosen.map(([project, files, name, text, mistake]) => {
  const [folder = "", path = ""] = name.split(" ")
  const file = join(root, "packages", folder, "dist", path)
  const code = readFileSync(file, "utf8")
  const isThere = code.split(text).length === 2
  return { project, files, name, file, code, text, mistake, mutated: code.replace(text, () => mistake), isThere }
})
const gone = places.filter(({ isThere }) => !isThere)
for (const { name, text } of gone) {
  console.error(`${name} does not have exactly once: ${text}`)
}
if (gone.length > 0 || chosen.length === 0) {
  process.exit(1)
}

let survivors = 0
for (const { code, file, files, mistake, mutated, name, project, text } of places) {
  restore = () => writeFileSync(file, code)
  writeFileSync(file, mutated)
  const by = (await isFound(project, [files])) ? files : (await isFound(project, [])) ? project : undefined
  restore()
  restore = () => {}
  survivors += by === undefined ? 1 : 0
  const what = `${name}: ${text.trim()} → ${mistake.trim() || "nothing"}`
  console.log(by === undefined ? `SURVIVES ${project}: ${what}` : `killed by ${by}: ${what}`)
}
console.log(`${chosen.length - survivors} of ${chosen.length} killed`)
