/**
 * A run as workflows: the lists, then the items in two shares. Each activity is as long as its list or its share.
 *
 * The engine drives and the tables say what is done, so each activity first looks there. It may be executed again, by this or
 * another process, and finds its work done. Outside of activities there is no clock, no request and no SQL, since that part
 * of a workflow is executed anew whenever it goes on.
 */
import * as Activity from "@effect/workflow/Activity"
import * as Workflow from "@effect/workflow/Workflow"
import { type WorkflowEngine, WorkflowInstance } from "@effect/workflow/WorkflowEngine"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { ParentSpan } from "effect/Tracer"
import type { DatabaseFailed } from "./DatabaseFailed.js"
import type { Named } from "./Plan.js"
import { kindOf, type Page, Service, StillWanted, Stopped } from "./Service.js"
import { type Attempt, nameOf, type Run, Store } from "./Store.js"

/** The shares of a run that processes read side by side. */
const shares = 2

/**
 * How many items of a share are read at a time, so that the quota is used with responses after up to 4 seconds. It is a process's
 * own, and grows with its quota: from 2 at one request a second to 8.
 */
export const itemsAtATime = (interval: Duration.Duration): number =>
  Math.min(8, Math.max(2, Math.ceil(4000 / shares / Math.max(1, Duration.toMillis(interval)))))

/** How many items of a share this process reads at a time. */
export class Concurrency extends Context.Reference<Concurrency>()("mirror/Concurrency", {
  defaultValue: () => 2
}) {}

/** Fails if the database does. Then the process is to end. */
export class Breakdown extends Context.Tag("mirror/Breakdown")<Breakdown, Deferred.Deferred<never, DatabaseFailed>>() {
  static readonly layer = Layer.effect(Breakdown, Deferred.make<never, DatabaseFailed>())
}

/**
 * The part of an activity that does something. If the database fails, the activity stays open: the engine would keep its failure, and
 * repeat it when the database works again. Any other error is all that is left of a cause: the engine executes an activity again if
 * anything in it was interrupted, such as the items beside one that failed.
 */
const doing = <A, E extends Stopped | DatabaseFailed, R>(work: Effect.Effect<A, E, R>) =>
  work.pipe(
    // Calls inside of the engine's span would describe themselves to a tracer that is not there.
    Effect.mapInputContext((context: Context.Context<R>) => Context.omit(ParentSpan)(context) as Context.Context<R>),
    Effect.catchAll((error) =>
      error._tag === "DatabaseFailed"
        ? Effect.flatMap(Breakdown, (breakdown) => Effect.zipRight(Deferred.fail(breakdown, error), Effect.never))
        : Effect.fail(error as Exclude<E, DatabaseFailed>)
    )
  )

const settings = {
  run: Schema.String,
  attempt: Schema.Number,
  lists: Schema.Array(Schema.String)
}

/** A share of the items that a run reads one by one. */
const Share = Workflow.make({
  name: nameOf("Share"),
  payload: { ...settings, round: Schema.Number, share: Schema.Number },
  error: Stopped,
  idempotencyKey: ({ attempt, round, run, share }) => `${run}/${attempt}/${round}/${share}`
})

/** A run, or what is left of it: one that has stopped begins once more as its next attempt. */
export const Mirror = Workflow.make({
  name: nameOf("Mirror"),
  payload: { ...settings, depth: Schema.Literal("list", "detail") },
  idempotencyKey: ({ attempt, run }) => `${run}/${attempt}`
})

type Settings = Attempt & Pick<Run, "depth" | "lists">

/**
 * A list from its first page, or the one after the last that was read, to the one without `next`. Pages may be short or empty
 * before.
 */
const walk = (run: Settings, list: string) =>
  Activity.make({
    name: `list/${list}`,
    error: Stopped,
    execute: Effect.gen(function* () {
      const store = yield* Store
      const service = yield* Service
      const last = yield* store.lastPage(run.id, list)
      let next = last === undefined ? undefined : last.next
      for (let page = last === undefined ? 0 : last.page + 1; next !== null; page++) {
        const content: Page = yield* service.page(list, next)
        yield* store.keepPage(run, list, page, content)
        next = content.next ?? null
      }
    }).pipe(doing)
  })

/** For so long the items of a share are taken for pending: milliseconds. A process can freeze after it has asked for them. */
const fresh = 1_000

/** Reads an item, unless another process has meanwhile. That is looked up before it waits for its turn, and again after that. */
const readItem = (run: Settings, item: Named, listedAt: number) =>
  Effect.gen(function* () {
    const store = yield* Store
    const isPending = store.isPending(run, item)
    if ((yield* Clock.currentTimeMillis) - listedAt > fresh && !(yield* isPending)) {
      return
    }
    const service = yield* Service
    const answer = yield* Effect.provideService(service.item(item.kind, item.id), StillWanted, isPending)
    if (answer._tag !== "Unasked") {
      yield* store.keepAnswer(run, item, answer)
    }
  })

const ShareLive = Share.toLayer(({ attempt, lists, run: id, share }) => {
  const run: Settings = { id, attempt, lists, depth: "detail" }
  return Activity.make({
    name: "items",
    error: Stopped,
    execute: Effect.gen(function* () {
      const store = yield* Store
      const concurrency = yield* Concurrency
      while (true) {
        const listedAt = yield* Clock.currentTimeMillis
        const items = yield* store.pending(run, share, shares)
        if (items.length === 0) {
          return
        }
        yield* Effect.forEach(items, (item) => readItem(run, item, listedAt), { concurrency, discard: true })
      }
    }).pipe(doing)
  })
})

/**
 * Executes a share, as no child of the run. A child that is interrupted, since its shard moves, tells its parent, and would wait for
 * the parent's shard before it lets go of its own: for ever, if both move.
 */
const readShare = ({ attempt, id, lists }: Settings, round: number, share: number) =>
  Share.execute({ run: id, attempt, lists, round, share }).pipe(
    Effect.mapInputContext((context: Context.Context<WorkflowEngine>) => Context.omit(WorkflowInstance)(context))
  )

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

const MirrorLive = Mirror.toLayer(({ attempt, depth, lists, run: id }, executionId) => {
  const run: Settings = { id, attempt, depth, lists }
  const planDue = Activity.make({
    name: "due",
    execute: doing(Effect.flatMap(Store, (store) => store.planDue(run)))
  })
  const hasWork = (round: number) =>
    Activity.make({
      name: `work/${round}`,
      success: Schema.Boolean,
      execute: doing(Effect.flatMap(Store, (store) => store.hasWork(run)))
    })
  const finish = Activity.make({
    name: "finish",
    error: Stopped,
    execute: Effect.gen(function* () {
      const store = yield* Store
      yield* store.forgetExecutions(run, executionId)
      if (!(yield* store.finish(run))) {
        return yield* new Stopped({ reason: "There are items that were not read." })
      }
    }).pipe(doing)
  })
  const stop = (cause: Cause.Cause<Stopped>) =>
    Activity.make({
      name: "stop",
      execute: doing(Effect.flatMap(Store, (store) => Effect.asVoid(store.stop(run, messageOf(cause)))))
    })
  return Effect.gen(function* () {
    yield* walkAll(run)
    if (depth === "detail") {
      yield* planDue
    }
    // An item that failed is read once more at the end.
    for (let round = 0; yield* hasWork(round); round++) {
      yield* Effect.forEach(
        Array.from({ length: shares }, (_, share) => share),
        (share) => readShare(run, round, share),
        {
          concurrency: "unbounded",
          discard: true
        }
      )
    }
    yield* finish
  }).pipe(Effect.catchAllCause((cause) => (Cause.isInterruptedOnly(cause) ? Effect.interrupt : stop(cause))))
})

const messageOf = (cause: Cause.Cause<Stopped>): string => {
  const error = Cause.squash(cause)
  return error instanceof Stopped ? error.reason : Cause.pretty(cause)
}

/** Both workflows, for a process that executes them. */
export const layer = Layer.merge(ShareLive, MirrorLive)
