/**
 * Where a promise catalog writes its lines, and which.
 */
import { type CatalogLogger, type CatalogOptions, createCatalog } from "catalog-client"
import { Fields } from "@catalog-client/core"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { catalogOver, json, recording } from "./support/faces.js"
import { anime } from "./support/stubService.js"

const accessToken = "a-secret-of-some-length"

/** A logger that writes down its lines. */
const writing = () => {
  const lines: Array<readonly [level: string, line: string, ...fields: ReadonlyArray<unknown>]> = []
  const write =
    (level: string) =>
    (line: string, ...fields: ReadonlyArray<unknown>) =>
      void lines.push([level, line, ...fields])
  const logger: CatalogLogger = {
    debug: write("debug"),
    info: write("info"),
    warn: write("warn"),
    error: write("error")
  }
  return { lines, logger, levels: () => lines.map(([level]) => level) }
}

type Options = Pick<CatalogOptions, "logger" | "logLevel">

/** A call that is warned of (a token that is sent in the clear), and one that fails. */
const use = async (options: Options) => {
  const { fetch } = recording(({ url }) => (url.pathname.endsWith("2") ? json({}, { status: 404 }) : json(anime)))
  await using catalog = createCatalog({
    fetch,
    baseUrl: "http://plain.example",
    accessToken,
    ...options
  })
  await catalog.anime.get({ id: 1 })
  await expect(catalog.anime.get({ id: 2 })).rejects.toMatchObject({ status: 404 })
  await catalog.anime.search({ q: accessToken }).catch(() => {})
}

/** What went to the console meanwhile, by level. */
let printed: Array<string>
beforeEach(() => {
  vi.stubEnv("CATALOG_LOG", undefined)
  printed = []
  for (const method of ["log", "debug", "info", "warn", "error"] as const) {
    vi.spyOn(console, method).mockImplementation((...line) => void printed.push(`${method} ${line.join()}`))
  }
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})
const methods = () => printed.map((line) => line.split(" ")[0])

const warned = ["warn"]
const debugged = ["warn", "debug", "debug", "debug"]

describe("a logger", () => {
  test("gets warnings as texts, instead of the console", async () => {
    const { lines, logger } = writing()
    await use({ logger })
    expect(lines).toEqual([["warn", expect.stringContaining("http://plain.example without encryption")]])
    expect(printed).toEqual([])
  })

  test("gets one line for each exchange at the level debug, and no secret", async () => {
    const { lines, logger, levels } = writing()
    await use({ logger, logLevel: "debug" })
    expect(levels()).toEqual(debugged)
    expect(lines[1]?.[1]).toMatch(/^catalog\.anime\.get: GET http:\/\/plain\.example\/anime\/1: 200 after \d+ ms$/)
    expect(lines[2]?.[1]).toMatch(/anime\/2: 404 after \d+ ms$/)
    expect(lines[3]?.[1]).toContain("q=<redacted>")
    expect(JSON.stringify([lines, printed])).not.toContain(accessToken)
    expect(printed).toEqual([])
  })

  test("gets fields after the line of an exchange, and the console gets none", async () => {
    const { lines, logger } = writing()
    await use({ logger, logLevel: "debug" })
    expect(lines.map(([, , ...fields]) => fields)).toEqual([
      [],
      [{ operation: "catalog.anime.get", attempt: 1, outcome: "Success" }],
      [{ operation: "catalog.anime.get", attempt: 1, outcome: "404" }],
      [{ operation: "catalog.anime.search", attempt: 1, outcome: "InvalidBody" }]
    ])
    await use({ logLevel: "debug" })
    expect(printed.filter((line) => line.includes("[object"))).toEqual([])
  })

  test("gets the requested fields that the reply does not have, at the level debug", async () => {
    const { lines, logger } = writing()
    const { catalog } = catalogOver(
      () => json({ data: [{ node: { ...anime, mean: 8, genres: [{ id: 1, name: "Action" }] } }] }),
      { clientId: "one", logger, logLevel: "debug" }
    )
    await catalog.anime.search({ q: "one" }, { fields: Fields.unchecked("mean, mood, genres{name,nmae}") })
    await catalog.anime.search({ q: "one" }, { fields: "mean, genres{name}" })
    await catalog.anime.search({ q: "one" })
    expect(lines.map(([, line]) => line.replace(/^.* ms/, ""))).toEqual(["; not in the reply: mood, nmae", "", ""])
  })

  test("may lack functions, may throw or reject, and may be an object of a class", async () => {
    await use({ logger: {}, logLevel: "debug" })
    const broken = () => {
      throw new Error("broken")
    }
    await use({ logger: { warn: broken, debug: broken }, logLevel: "debug" })
    const rejecting = (): void => Promise.reject(new Error("broken")) as never
    await use({ logger: { warn: rejecting, debug: rejecting }, logLevel: "debug" })
    class Counting {
      count = 0
      warn() {
        this.count++
      }
    }
    const logger = new Counting()
    await use({ logger })
    expect(logger.count).toBe(1)
    expect(printed).toEqual([])
  })
})

describe("without a logger, warnings", () => {
  test("go to console.warn", async () => {
    await use({})
    expect(methods()).toEqual(warned)
  })
})

describe("a log level", () => {
  test.each([
    ["none", []],
    ["error", []],
    ["warn", warned],
    ["info", warned],
    ["debug", debugged],
    [undefined, warned]
  ] as const)("%s", async (logLevel, expected) => {
    const { logger, levels } = writing()
    await use({ logger, logLevel })
    expect(levels()).toEqual(expected)
    await use({ logLevel })
    expect(methods()).toEqual(expected)
  })
})

describe("CATALOG_LOG", () => {
  test.each([
    ["debug", debugged],
    [" DEBUG ", debugged],
    ["none", []],
    ["verbose", warned],
    ["", warned]
  ])("%j in the environment is the level", async (level, expected) => {
    vi.stubEnv("CATALOG_LOG", level)
    await use({})
    expect(methods()).toEqual(expected)
  })

  test("is ignored if either option is set", async () => {
    vi.stubEnv("CATALOG_LOG", "debug")
    const { logger, levels } = writing()
    await use({ logger })
    expect(levels()).toEqual(warned)
    await use({ logLevel: "none" })
    expect(printed).toEqual([])
  })

  test.each([
    ["no process", undefined],
    ["a process without an environment", {}],
    [
      "an environment that may not be read",
      {
        get env() {
          throw new Error("not allowed")
        }
      }
    ]
  ])("is not read in %s", async (_, process) => {
    vi.stubGlobal("process", process)
    try {
      await use({})
    } finally {
      vi.unstubAllGlobals()
    }
    expect(methods()).toEqual(warned)
  })
})

describe("an invalid option", () => {
  test.each([
    [{ logLevel: "verbose" }, 'logLevel must be one of none, error, warn, info, debug, but it is "verbose"'],
    [{ logger: "console" }, "logger must be an object of functions"],
    [{ logger: { warn: 1 } }, "logger must be an object of functions, but warn is 1"]
  ])("%j is a TypeError", (options, message) => {
    expect(() => createCatalog({ fetch, ...(options as Options) })).toThrow(new TypeError(`createCatalog: ${message}`))
  })

  test("an option of undefined counts as not set", () => {
    expect(() => createCatalog({ fetch, logger: undefined, logLevel: undefined })).not.toThrow()
  })
})
