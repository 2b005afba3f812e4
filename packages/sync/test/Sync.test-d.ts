import { createCatalog } from "catalog-client"
import { readList } from "catalog-client/sync"
import type { CatalogClient, ClientError } from "@catalog-client/core"
import { Sync } from "@catalog-client/sync"
import { fileJournal } from "@catalog-client/sync/node"
import { type Context, type Duration, Effect, type Schema, type Scope, type Stream } from "effect"
import { expectTypeOf, test } from "vitest"

interface Db {
  readonly db: "Db"
}
declare const plan: Sync.Plan
declare const Db: Context.Tag<Db, { readonly put: (text: string) => Effect.Effect<void, "full"> }>

test("apply fails with the errors of its journal, and requires its services", () => {
  expectTypeOf(Sync.apply(plan)).toEqualTypeOf<Stream.Stream<Sync.Outcome, ClientError, CatalogClient>>()
  expectTypeOf(Sync.apply(plan, { settle: "1 minute" })).toEqualTypeOf(Sync.apply(plan))
  expectTypeOf(Sync.apply(plan, { journal: fileJournal("a") })).toEqualTypeOf<
    Stream.Stream<Sync.Outcome, ClientError | Sync.JournalError, CatalogClient>
  >()
  const inDb = {
    read: Effect.succeed(""),
    append: (text: string) => Effect.flatMap(Db, (db) => db.put(text)),
    lock: Effect.acquireRelease(Effect.void, () => Effect.void)
  }
  expectTypeOf(Sync.apply(plan, { journal: inDb })).toEqualTypeOf<
    Stream.Stream<Sync.Outcome, ClientError | "full", CatalogClient | Db>
  >()
  expectTypeOf<Sync.ApplyOptions["settle"]>().toEqualTypeOf<Duration.DurationInput | undefined>()
  expectTypeOf<Sync.Journal<"full", Db>["lock"]>().toEqualTypeOf<
    Effect.Effect<void, "full", Db | Scope.Scope> | undefined
  >()
  // @ts-expect-error a journal of promises
  Sync.apply(plan, { journal: { read: async () => "", append: async () => {} } })
  // @ts-expect-error requires Db
  expectTypeOf<{ read: typeof inDb.read; append: typeof inDb.append }>().toExtend<Sync.Journal>()
})

test("readList fails with the errors of onPage, and requires its services", () => {
  type Read<E = never, R = never> = Effect.Effect<ReadonlyMap<number, Sync.Entry>, ClientError | E, CatalogClient | R>
  expectTypeOf(Sync.readList("anime")).toEqualTypeOf<Read>()
  expectTypeOf(Sync.readList("anime", { username: "me", onPage: () => {} })).toEqualTypeOf<Read>()
  expectTypeOf(
    Sync.readList("anime", { onPage: ({ count }) => Effect.flatMap(Db, (db) => db.put(`${count}`)) })
  ).toEqualTypeOf<Read<"full", Db>>()
  // @ts-expect-error -- with promises, an Effect would not run
  void readList(createCatalog(), "anime", { onPage: () => Effect.void })
})

test("a file of the service fails with InvalidExport, and a stored plan has a Schema", () => {
  expectTypeOf(Sync.fromXml("")).toEqualTypeOf<Effect.Effect<Sync.Export, Sync.InvalidExport>>()
  expectTypeOf(Sync.PlanSchema).toEqualTypeOf<Schema.Schema<Sync.Plan>>()
})
