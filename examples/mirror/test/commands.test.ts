/**
 * The commands beside `sync`: what they print, and what they leave.
 */
import Sqlite from "better-sqlite3"
import { asyncBufferFromFile, parquetReadObjects } from "hyparquet"
import { createHash } from "node:crypto"
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { dirname, relative } from "node:path"
import { expect, test } from "vitest"
import { directory, isQuick, items, keysOf, mirrored, query, run, serviceOf, start } from "./support/mirror.js"

const list = ["--lists", "anime/bypopularity,manga/bypopularity"]

const json = (text: string): unknown => JSON.parse(text.trim().split("\n").at(-1) ?? "")

test.skipIf(isQuick)(
  "export writes all items of one moment in three formats, with a manifest; since a change, only what changed",
  async () => {
    const all = items(1100, 30)
    const service = await serviceOf(all)
    const database = `${directory()}/mirror.db`
    const folder = dirname(database)
    const options = { database, url: service.url }
    expect(await run(["sync", "--depth", "list", ...list], options)).toMatchObject({ code: 0 })
    expect(await run(["sync", "--lists", "manga/bypopularity"], options)).toMatchObject({ code: 0 })
    query(database, `UPDATE mirror_item SET state = 'gone', strikes = 2 WHERE kind = 'manga' AND id = 900003`)
    const keyOf = ({ id, kind }: Record<string, unknown>) => `${String(kind)}/${String(id)}`

    for (const format of ["ndjson", "sqlite", "parquet"]) {
      const file = `${folder}/out.${format}`
      const { code, output } = await run(["export", format, file], options)
      expect(code).toBe(0)
      const manifest = JSON.parse(readFileSync(`${file}.manifest.json`, "utf8")) as Record<string, unknown>
      expect(json(output)).toEqual(manifest)
      const bytes = readFileSync(file)
      const sha256 = createHash("sha256").update(bytes).digest("hex")
      expect(manifest).toMatchObject({ format, rows: 1130, live: 1129, gone: 1, seq: 30, sha256, bytes: bytes.length })

      let rows: ReadonlyArray<Record<string, unknown>>
      if (format === "ndjson") {
        rows = bytes
          .toString()
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line) as Record<string, unknown>)
        expect(rows.at(-1)).toMatchObject({ kind: "manga", body: { id: 900_030 }, listed: { id: 900_030 } })
      } else if (format === "sqlite") {
        const copy = new Sqlite(file, { readonly: true })
        rows = copy.prepare<[], Record<string, unknown>>("SELECT * FROM item").all()
        copy.close()
      } else {
        rows = await parquetReadObjects({ file: await asyncBufferFromFile(file) })
      }
      expect(rows.map(keyOf).sort()).toEqual(keysOf(all))
      const texts = rows
        .filter(({ kind }) => kind === "manga")
        .map(({ listed }) => (typeof listed === "string" ? JSON.parse(listed) : listed) as { title: string })
      expect(texts.map(({ title }) => title).sort()).toEqual(all.manga.map(({ title }) => title).sort())
    }

    expect(await run(["export", "ndjson", `${folder}/since.ndjson`, "--since", "28"], options)).toMatchObject({
      code: 0
    })
    expect(readFileSync(`${folder}/since.ndjson`, "utf8").trim().split("\n")).toHaveLength(2)
    expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toEqual([])
  }
)

test.skipIf(isQuick)("an export that is killed leaves the earlier one as it was", async () => {
  const service = await serviceOf(items(30, 0))
  const database = `${directory()}/mirror.db`
  const options = { database, url: service.url }
  const file = `${dirname(database)}/out.ndjson`
  await run(["sync", "--depth", "list", "--lists", "anime/bypopularity"], options)
  await run(["export", "ndjson", file], options)
  const before = readFileSync(file, "utf8")
  query(database, "DELETE FROM mirror_item WHERE id > 900010")
  const { signal } = await start(["export", "ndjson", file], {
    ...options,
    env: { MIRROR_KILL: "mirror.export:begin:1" }
  }).ended
  expect(signal).toBe("SIGKILL")
  expect(readFileSync(file, "utf8")).toBe(before)
  expect(await run(["export", "ndjson", file], options)).toMatchObject({ code: 0 })
  expect(readFileSync(file, "utf8").trim().split("\n")).toHaveLength(10)
})

test("--dry-run says what a run would ask for and how long that takes, and keeps nothing", async () => {
  const all = items(80, 20)
  const service = await serviceOf(all)
  const database = `${directory()}/mirror.db`
  const options = { database, url: service.url }
  const rehearsed = await run(["sync", "--dry-run", ...list, "--interval", "1 second"], options)
  expect(json(rehearsed.output)).toEqual({ pages: 2, items: { new: 100, due: 0 }, requests: 102, seconds: 102 })
  expect(query(database, "SELECT id FROM mirror_item")).toEqual([])
  expect(service.requests).toHaveLength(2)
})

test("arguments that say nothing end with 2, and a database that cannot be opened with 6", async () => {
  const options = { database: `${directory()}/mirror.db`, url: "http://127.0.0.1:1" }
  const wrong = [
    ["sync", "--lists", "anime"],
    ["sync", "--interval", "soon"],
    ["sync", "--interval", "-1 second"],
    ["sync", "--interval=-1 second"],
    ["resume", "--interval", "0 seconds"],
    ["sync", "--hold", "-1 minute"],
    ["doctor", "--patience=-1 minute"],
    ["sync", "--base-url", "javascript:alert(1)"],
    ["sync", "--base-url", "ftp://127.0.0.1/v2"],
    ["doctor", "--base-url", "127.0.0.1:4010"],
    ["sync", "--base-url", "http://user:password@127.0.0.1/v2"],
    ["sync", "--shares", "0"],
    ["sync", "--shares", "17"],
    ["sync", "--database", ""],
    ["sync", "--database", ":memory:"],
    ["export", "ndjson", "out", "--since=-1"],
    ["export"]
  ]
  for (const args of wrong) {
    expect([args, (await run(args, options)).code]).toEqual([args, 2])
  }
  expect(await run(["sync"], { ...options, url: "javascript:alert(1)" })).toMatchObject({ code: 2 })
  for (const args of [["status"], ["export", "ndjson", "out"]]) {
    expect(await run(args, options)).toMatchObject({
      code: 2,
      errors: expect.stringContaining("There is no mirror at")
    })
  }
  expect(existsSync(options.database)).toBe(false)
  const nowhere = { ...options, database: `${dirname(options.database)}/no/such/folder/mirror.db` }
  expect(await run(["sync"], nowhere)).toMatchObject({
    code: 6,
    errors: expect.stringMatching(/open (the )?database.*Check that the folder/)
  })
})

test("export never writes over the mirror, by whatever name, and opens nothing then", async () => {
  const service = await serviceOf(items(3, 0))
  const folder = directory()
  const database = `${folder}/mirror.db`
  const options = { database, url: service.url }
  expect(await run(["sync", "--lists", "anime/bypopularity", "--depth", "list"], options)).toMatchObject({ code: 0 })
  symlinkSync(database, `${folder}/link.db`)
  symlinkSync(`${folder}/link.db`, `${folder}/another.db`)
  symlinkSync(folder, `${folder}/here`)
  linkSync(database, `${folder}/hard.db`)
  const before = readFileSync(database)
  const names = [
    "mirror.db",
    "mirror.db-wal",
    "mirror.db-shm",
    "mirror.db-journal",
    "mirror.db.lock",
    "./here/../mirror.db",
    "here/mirror.db",
    "here/mirror.db-wal",
    "link.db",
    "another.db",
    "hard.db",
    "Mirror.db",
    "MIRROR.DB-WAL"
  ]
  for (const name of [...names.map((name) => `${folder}/${name}`), relative(process.cwd(), database)]) {
    for (const format of ["sqlite", "ndjson", "parquet"]) {
      for (const from of [database, `${folder}/link.db`, relative(process.cwd(), database)]) {
        expect([name, await run(["export", format, name], { ...options, database: from })]).toEqual([
          name,
          { code: 2, output: "", errors: expect.stringContaining("is the mirror itself, or one of its files") }
        ])
      }
    }
  }
  expect(readFileSync(database)).toEqual(before)

  // Nor over another mirror, whose database is not the one that is read.
  const other = { ...options, database: `${folder}/other.db` }
  expect(await run(["sync", "--lists", "anime/bypopularity", "--depth", "list"], other)).toMatchObject({ code: 0 })
  const copy = `${folder}/copy.db`
  copyFileSync(other.database, copy)
  for (const file of [other.database, copy]) {
    expect(await run(["export", "ndjson", file], options)).toMatchObject({
      code: 2,
      errors: expect.stringContaining("is a mirror")
    })
  }

  // What is written under a temporary name is not the mirror, either.
  const part = { ...options, database: `${folder}/out.ndjson.part` }
  expect(await run(["sync", "--lists", "anime/bypopularity", "--depth", "list"], part)).toMatchObject({ code: 0 })
  expect(await run(["export", "ndjson", `${folder}/out.ndjson`], part)).toMatchObject({ code: 2 })
  expect(mirrored(part.database)).toEqual([])
  const manifest = { ...options, database: `${folder}/out.manifest.json` }
  expect(await run(["sync", "--lists", "anime/bypopularity", "--depth", "list"], manifest)).toMatchObject({ code: 0 })
  expect(await run(["export", "ndjson", `${folder}/out`], manifest)).toMatchObject({ code: 2 })
  expect(await run(["status"], manifest)).toMatchObject({ code: 0 })
})

test("an export that cannot be written says so, and not that the database failed", async () => {
  const service = await serviceOf(items(3, 0))
  const folder = directory()
  const options = { database: `${folder}/mirror.db`, url: service.url }
  expect(await run(["sync", "--lists", "anime/bypopularity", "--depth", "list"], options)).toMatchObject({ code: 0 })
  for (const format of isQuick ? ["ndjson"] : ["ndjson", "sqlite", "parquet"]) {
    expect(await run(["export", format, `${folder}/no/such/out`], options)).toMatchObject({
      code: 2,
      errors: expect.stringMatching(/^The export cannot be written: there is no folder .*no\/such/)
    })
    mkdirSync(`${folder}/taken.part/full`, { recursive: true })
    const taken = await run(["export", format, `${folder}/taken`], options)
    expect(taken).toMatchObject({ code: 2, errors: expect.stringMatching(/^The export could not be written: /) })
    expect(taken.errors).not.toContain("database failed")
  }
})

test("a database that is out of reach ends with 6 and says what to check", async () => {
  const options = { database: "postgres://mirror@127.0.0.1:1/mirror", url: "http://127.0.0.1:1" }
  for (const command of ["sync", "resume"]) {
    expect(await run([command], options)).toMatchObject({
      code: 6,
      errors: expect.stringMatching(/ECONNREFUSED.* Check that the database runs/)
    })
  }
})

test.skipIf(isQuick)(
  "a database that is full, read-only or damaged ends the run at once; with space, the run goes on",
  async () => {
    const all = items(40, 0)
    const service = await serviceOf(all)
    const database = `${directory()}/mirror.db`
    const options = { database, url: service.url }
    const only = ["sync", "--lists", "anime/bypopularity"]
    expect(await run([...only, "--depth", "list"], options)).toMatchObject({ code: 0 })
    for (const [words, advice] of [
      ["database or disk is full", "Make space"],
      ["attempt to write a readonly database", "writable"],
      ["database disk image is malformed", "Restore a copy"]
    ]) {
      query(
        database,
        `CREATE TRIGGER broken BEFORE UPDATE OF body ON mirror_item WHEN NEW.id = 900020 BEGIN SELECT RAISE(FAIL, '${words}'); END`
      )
      const { code, errors } = await run(only, options)
      expect([code, errors]).toEqual([6, expect.stringMatching(`The database failed: .*${words}.*${advice}`)])
      query(database, "DROP TRIGGER broken")
    }
    const from = service.requests.length
    expect(await run(only, options)).toMatchObject({ code: 0, errors: "" })
    expect(mirrored(database)).toEqual(keysOf(all))
    expect(service.asked(from).size).toBeLessThan(40)

    writeFileSync(database, "This is no database. ".repeat(500))
    expect(await run(only, options)).toMatchObject({ code: 6, errors: expect.stringContaining("not a database") })
  }
)

test("a lock is of the file and not of its name, and only another process that has it ends with 4", async () => {
  const folder = directory()
  const service = await serviceOf(items(3, 0))
  const only = ["sync", "--lists", "anime/bypopularity"]
  symlinkSync(`${folder}/mirror.db`, `${folder}/link.db`)
  const linked = { database: `${folder}/link.db`, url: service.url }
  // A new file, and one that is there.
  for (const _ of [1, 2]) {
    const lock = new Sqlite(`${folder}/mirror.db.lock`)
    lock.exec("BEGIN EXCLUSIVE")
    expect(await run(only, linked)).toMatchObject({ code: 4 })
    lock.close()
    expect(await run(only, linked)).toMatchObject({ code: 0 })
  }
  rmSync(`${folder}/mirror.db.lock`, { force: true, recursive: true })
  mkdirSync(`${folder}/mirror.db.lock`)
  expect(await run(only, linked)).toMatchObject({ code: isQuick ? 0 : 6 })
})

test.skipIf(isQuick)("a second process beside one that is frozen in a transaction ends with 4", async () => {
  const service = await serviceOf(items(3, 0))
  const database = `${directory()}/mirror.db`
  const only = ["sync", "--lists", "anime/bypopularity"]
  const options = { database, url: service.url }
  expect(await run(only, options)).toMatchObject({ code: 0 })
  const frozen = [new Sqlite(`${database}.lock`), new Sqlite(database)]
  for (const file of frozen) {
    file.exec("BEGIN EXCLUSIVE")
  }
  for (const args of [only, ["resume"], ["sync", "--dry-run"]]) {
    expect([args, await run(args, options)]).toEqual([
      args,
      { code: 4, output: "", errors: expect.stringMatching(/^Another process works on .*mirror\.db/) }
    ])
  }
  for (const file of frozen) {
    file.close()
  }
})

test("a run that has not ended goes on with its own lists, and says so", async () => {
  const all = items(12, 3)
  const refusing = await serviceOf(all, { clientIds: ["another"] })
  const database = `${directory()}/mirror.db`
  expect(await run(["sync", "--lists", "anime/bypopularity"], { database, url: refusing.url })).toMatchObject({
    code: 3
  })
  const service = await serviceOf(all)
  const other = await run(["sync", "--lists", "manga/bypopularity"], { database, url: service.url })
  expect(other).toMatchObject({ code: 0, errors: expect.stringContaining("own settings: --lists anime/bypopularity") })
  expect([...service.asked().keys()].every((key) => key.startsWith("anime/"))).toBe(true)
})

test.skipIf(isQuick)("a newer version takes over: the older one ends", async () => {
  const service = await serviceOf(items(30, 0))
  const database = `${directory()}/mirror.db`
  const options = { database, url: service.url }
  const only = ["sync", "--lists", "anime/bypopularity"]
  await run(only, options)
  query(
    database,
    "CREATE TRIGGER upgrade AFTER INSERT ON mirror_page BEGIN UPDATE mirror_run SET version = 99, attempt = attempt + 1; END"
  )
  for (const _ of ["while it works", "when it starts"]) {
    expect(await run(only, options)).toMatchObject({ code: 8, errors: expect.stringContaining("newer version") })
  }
})

test.skipIf(isQuick)("status --watch shows a run from beside it until it ends", async () => {
  const service = await serviceOf(items(60, 0))
  const options = { database: `${directory()}/mirror.db`, url: service.url }
  const running = start(["sync", "--lists", "anime/bypopularity", "--interval", "100 millis"], options)
  await service.more(3, running.ended)
  const { code, output } = await run(["status", "--watch"], options)
  expect(code).toBe(0)
  const lines = output.trim().split("\n").map(json) as ReadonlyArray<{
    readonly phase: string
    readonly answered: number
  }>
  expect(lines[0]?.phase).toMatch(/lists|items/)
  expect(lines.at(-1)).toMatchObject({ phase: "finished", answered: 60, planned: 60 })
  expect(lines.length).toBeGreaterThan(1)
  expect(await running.ended).toMatchObject({ code: 0 })
})

test("doctor finds nothing in a sound mirror, and names what is wrong in another", async () => {
  const service = await serviceOf(items(10, 0))
  const database = `${directory()}/mirror.db`
  const options = { database, url: service.url }
  expect(await run(["doctor"], options)).toMatchObject({
    code: 2,
    errors: expect.stringContaining("There is no mirror at")
  })
  expect(existsSync(database)).toBe(false)
  await run(["sync", "--lists", "anime/bypopularity"], options)
  const sound = await run(["doctor"], options)
  expect(sound.output).not.toContain("✗")
  expect(sound).toMatchObject({ code: 0, output: expect.stringContaining("✓ the service answers") })

  query(database, "UPDATE mirror_item SET state = 'gone', strikes = 1 WHERE id = 900001")
  const elsewhere = await serviceOf(items(1, 0), { clientIds: ["another"] })
  const { code, output } = await run(["doctor"], { ...options, url: elsewhere.url })
  expect(code).toBe(5)
  expect(output).toMatch(/✗ 1 items are deleted/)
  expect(output.match(/✗/g)).toHaveLength(2)
})
