/**
 * A run as workflows: the lists page by page, then the items in chunks.
 *
 * The engine drives and the tables say what is done, so each activity first looks there. It may be executed again, by this or
 * another process, and finds its work done. Outside of activities there is no clock, no request and no SQL, since that part
 * of a workflow is executed anew whenever it goes on.
 */
import { EntityAddress } from "@effect/cluster/EntityAddress"
import { EntityId } from "@effect/cluster/EntityId"
import { EntityType } from "@effect/cluster/EntityType"
import { MessageStorage } from "@effect/cluster/MessageStorage"
import { Sharding } from "@effect/cluster/Sharding"
import * as Activity from "@effect/workflow/Activity"
import * as Workflow from "@effect/workflow/Workflow"
import { type WorkflowEngine, WorkflowInstance } from "@effect/workflow/WorkflowEngine"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { Named } from "./Plan.js"
import { kindOf, Service, StillWanted, Stopped } from "./Service.js"
import { type Run, Store } from "./Store.js"

/** Requests in flight: so many chunks at a time, each with so many items at a time. It fills a quota of one request a second for answers that take up to 4 s. */
const chunksAtATime = 2
const itemsAtATime = 2

/** Changed logic needs a new name: an execution that is under way goes on with the code that it meets. */
const version = "mirror/v1"

const settings = {
  run: Schema.String,
  attempt: Schema.Number,
  lists: Schema.Array(Schema.String)
}

/** A chunk of the items that a run reads one by one. */
const Chunk = Workflow.make({
  name: `${version}/Chunk`,
  payload: { ...settings, chunk: Schema.Number },
  error: Stopped,
  idempotencyKey: ({ attempt, chunk, run }) => `${run}/${attempt}/${chunk}`
})

/** A run, or what is left of it: one that has stopped begins once more as its next attempt. */
export const Mirror = Workflow.make({
  name: `${version}/Mirror`,
  payload: { ...settings, depth: Schema.Literal("list", "detail") },
  idempotencyKey: ({ attempt, run }) => `${run}/${attempt}`
})

type Settings = Pick<Run, "id" | "depth" | "lists">

/** Reads a page of a list, unless it was read. Results stay in the engine's storage, so they are small. */
const readPage = (run: Settings, list: string, page: number, from: string | undefined) =>
  Activity.make({
    name: `page/${list}/${page}`,
    success: Schema.Struct({ next: Schema.NullOr(Schema.String) }),
    error: Stopped,
    execute: Effect.gen(function* () {
      const store = yield* Store
      const read = yield* store.pageRead(run.id, list, page)
      if (read !== undefined) {
        return read
      }
      const content = yield* (yield* Service).page(list, from)
      yield* store.keepPage(run, list, page, content)
      return { next: content.next ?? null }
    })
  })

/** Reads an item, unless another process has meanwhile. */
const readItem = (run: Pick<Run, "id" | "attempt" | "lists">, item: Named) =>
  Effect.gen(function* () {
    const store = yield* Store
    const isPending = store.isPending(run, item)
    if (!(yield* isPending)) {
      return
    }
    const service = yield* Service
    const answer = yield* Effect.provideService(service.item(item.kind, item.id), StillWanted, isPending)
    yield* store.keepAnswer(run, item, answer)
  })

const ChunkLive = Chunk.toLayer(({ attempt, chunk, lists, run: id }) => {
  const run = { id, attempt, lists }
  return Activity.make({
    name: "items",
    error: Stopped,
    execute: Effect.gen(function* () {
      const items = yield* (yield* Store).pending(run, chunk)
      yield* Effect.forEach(items, (item) => readItem(run, item), {
        concurrency: itemsAtATime,
        discard: true
      })
    })
  })
})

/**
 * Executes a chunk, as no child of the run. A child that is interrupted, since its shard moves, tells its parent, and would wait for
 * the parent's shard before it lets go of its own: for ever, if both move.
 */
const readChunk = (run: Pick<Run, "id" | "attempt" | "lists">, chunk: number) =>
  Chunk.execute({ run: run.id, attempt: run.attempt, lists: run.lists, chunk }).pipe(
    Effect.mapInputContext((context: Context.Context<WorkflowEngine>) => Context.omit(WorkflowInstance)(context))
  )

/** A list from its first page to the one without `next`. Pages may be short or empty before. */
const walk = (run: Settings, list: string) =>
  Effect.gen(function* () {
    let { next } = yield* readPage(run, list, 0, undefined)
    for (let page = 1; next !== null; page++) {
      next = (yield* readPage(run, list, page, next)).next
    }
  })

/** The lists of one kind one after the other, both kinds side by side. */
const walkAll = (run: Settings) =>
  Effect.forEach(
    ["anime", "manga"],
    (kind) =>
      Effect.forEach(
        run.lists.filter((list) => kindOf(list) === kind),
        (list) => walk(run, list),
        { discard: true }
      ),
    { concurrency: 2, discard: true }
  )

const MirrorLive = Mirror.toLayer(({ attempt, depth, lists, run: id }) => {
  const run = { id, depth, lists }
  const plan = (round: number) =>
    Activity.make({
      name: `plan/${round}`,
      success: Schema.Number,
      execute: Effect.flatMap(Store, (store) => store.plan(run))
    })
  const finish = Activity.make({
    name: "finish",
    execute: Effect.gen(function* () {
      yield* forgetEnded
      yield* (yield* Store).finish(id)
    })
  })
  const stop = (cause: Cause.Cause<Stopped>) =>
    Activity.make({
      name: "stop",
      execute: Effect.flatMap(Store, (store) => store.stop(id, attempt, messageOf(cause)))
    })
  return Effect.gen(function* () {
    yield* walkAll(run)
    // Items name others that no list has shown: they are the next round.
    for (let round = 0, done = 0; ; round++) {
      const chunks = yield* plan(round)
      if (chunks === done) {
        break
      }
      const numbers = Array.from({ length: chunks - done }, (_, n) => done + n)
      yield* Effect.forEach(numbers, (chunk) => readChunk({ id, attempt, lists }, chunk), {
        concurrency: chunksAtATime,
        discard: true
      })
      done = chunks
    }
    yield* finish
  }).pipe(Effect.catchAllCause((cause) => (Cause.isInterruptedOnly(cause) ? Effect.interrupt : stop(cause))))
})

const messageOf = (cause: Cause.Cause<Stopped>): string => {
  const error = Cause.squash(cause)
  return error instanceof Stopped ? error.reason : Cause.pretty(cause)
}

/** Removes what the engine has kept of the runs that have ended, which it would keep for ever. */
const forgetEnded = Effect.gen(function* () {
  const store = yield* Store
  const sharding = yield* Sharding
  const messages = yield* MessageStorage
  const forget = (name: string, executionId: string) => {
    const entityId = EntityId.make(executionId)
    return messages.clearAddress(
      new EntityAddress({
        entityType: EntityType.make(`Workflow/${name}`),
        entityId,
        shardId: sharding.getShardId(entityId, "default")
      })
    )
  }
  for (const { attempt: last, chunks, id } of yield* store.ended) {
    for (let attempt = 1; attempt <= last; attempt++) {
      const run = { run: id, attempt, lists: [] }
      yield* forget(Mirror.name, yield* Mirror.executionId({ ...run, depth: "list" }))
      for (let chunk = 0; chunk < chunks; chunk++) {
        yield* forget(Chunk.name, yield* Chunk.executionId({ ...run, chunk }))
      }
    }
    yield* store.cleared(id)
  }
}).pipe(Effect.orDie)

/** Both workflows, for a process that executes them. */
export const layer = Layer.merge(ChunkLive, MirrorLive)
