/**
 * A run: its lists, then its items in shares, each of which one process at a time works on.
 *
 * The tables say what is done. Whoever gets a share goes on with it from there.
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { DatabaseFailed } from "./DatabaseFailed.js"
import { kindOf, Service, StillWanted, type Stopped } from "./Service.js"
import { elapsed } from "./Quota.js"
import { type Claim, type Judged, type Pending, Store } from "./Store.js"

/** How many requests a process has in flight at most. */
const inFlight = 32

/** So that the quota is used with responses after up to 4 seconds. */
export const itemsAtATime = (interval: number, shares: number): number =>
  Math.max(1, Math.ceil(Math.min(inFlight, 4000 / interval) / shares))

/** Fails if the process is to end: the database has failed, or the program has a mistake. */
export class Breakdown extends Context.Tag("mirror/Breakdown")<Breakdown, Deferred.Deferred<never, DatabaseFailed>>() {
  static readonly layer = Layer.effect(Breakdown, Deferred.make<never, DatabaseFailed>())
}

/** The shares of the run that this process works on: none in a standby. */
export class Held extends Context.Tag("mirror/Held")<Held, Set<number>>() {
  static readonly layer = Layer.sync(Held, () => new Set<number>())
}

/** Answers are committed after so long, if they are not enough for a batch: at one request a second, each by itself. */
const commitEvery = Duration.seconds(1)

/** For so long a share is taken for this process's own: milliseconds. A process can freeze after it has looked. */
const fresh = 1_000

/** The time between two looks for work. */
const idle = Duration.millis(200)

/** The engine takes so long to notice that another process has a share. */
const takenOver = Duration.seconds(10)

/** A list from the page after the last that was read to the one without `next`. Pages may be short or empty before. */
const walk = (claim: Claim, list: string) =>
  Effect.gen(function* () {
    const store = yield* Store
    const service = yield* Service
    const last = yield* store.lastPage(claim.id, list)
    let next = last === undefined ? undefined : last.next
    for (let page = last === undefined ? 0 : last.page + 1; next !== null; page++) {
      const content = yield* service.page(list, next)
      yield* store.keepPage(claim, list, page, content)
      next = content.next ?? null
    }
  })

/** The lists of one kind one after the other, both kinds side by side. */
const readLists = (claim: Claim) =>
  Effect.forEach(
    ["anime", "manga"],
    (kind) =>
      Effect.forEach(
        claim.lists.split(",").filter((list) => kindOf(list) === kind),
        (list) => walk(claim, list),
        { discard: true }
      ),
    { concurrency: 2, discard: true }
  )

/** Reads items of a share. What they were answered is committed every second, at the end, and when this process has to stop. */
const readItems = (claim: Claim, items: ReadonlyArray<Pending>) =>
  Effect.gen(function* () {
    const store = yield* Store
    const service = yield* Service
    let seenAt = yield* elapsed
    const isHeld = Effect.flatMap(elapsed, (now) =>
      now - seenAt < fresh
        ? Effect.succeed(true)
        : store.look(claim).pipe(
            Effect.map(() => {
              seenAt = now
              return true
            }),
            Effect.catchTag("Lost", () => Effect.succeed(false))
          )
    )
    const answered: Array<Judged> = []
    // What was not committed stays. What was, and not heard of, is kept once.
    const commit = Effect.suspend(() => {
      const some = answered.slice()
      return some.length === 0
        ? Effect.void
        : Effect.map(store.keepAnswers(claim, some), () => void answered.splice(0, some.length))
    })
    const read = (item: Pending) =>
      Effect.flatMap(service.item(item.kind, item.id), (answer) =>
        answer === undefined
          ? Effect.void
          : Effect.map(store.judge(claim, item, answer), (judged) => void answered.push(judged))
      )
    // A fiber for each line of requests: one for each item would cost a tenth more.
    const queue = items.values()
    const line: Effect.Effect<void, DatabaseFailed | Stopped> = Effect.suspend(() => {
      const { done, value } = queue.next()
      return done === true ? Effect.void : Effect.zipRight(read(value), line)
    })
    const lines = Array.from({ length: itemsAtATime(claim.interval_ms, claim.shares) }, () => line)
    yield* Effect.raceFirst(
      Effect.provideService(Effect.all(lines, { concurrency: "unbounded", discard: true }), StillWanted, isHeld),
      Effect.forever(Effect.delay(commit, commitEvery))
    ).pipe(
      Effect.zipRight(commit),
      Effect.onError(() => commit.pipe(Effect.interruptible, Effect.timeout(commitEvery), Effect.ignore))
    )
  })

/** Works on a share that has been begun, until the run ends or another process takes over. */
const workOn = (claim: Claim) =>
  Effect.gen(function* () {
    const store = yield* Store
    const leads = claim.share === 0
    while (true) {
      const run = yield* store.look(claim)
      const items = run.lists_read === 1 ? yield* store.pending(claim) : []
      if (items.length > 0) {
        yield* readItems(claim, items)
      } else if (run.lists_read === 0) {
        yield* readLists(claim)
        yield* store.planDue(claim)
      } else {
        yield* leads ? store.end(claim) : Effect.void
        yield* Effect.sleep(idle)
      }
    }
  }).pipe(Effect.catchTag("Stopped", ({ message }) => Effect.flatMap(Store, (store) => store.stop(claim, message))))

/** What a process does as long as it has a share: nothing while no run is under way, or none with so many shares. */
export const work = (share: number) =>
  Effect.gen(function* () {
    const store = yield* Store
    const claim = yield* store.claim(share)
    if (claim === undefined) {
      return yield* Effect.sleep(idle)
    }
    const held = yield* Held
    held.add(share)
    yield* Effect.catchTag(workOn(claim), "Lost", () => Effect.void).pipe(
      Effect.ensuring(Effect.sync(() => held.delete(share)))
    )
    // The run has ended, or another process has taken over: this one is about to hear of it.
    const now = yield* store.run(claim.id)
    yield* Effect.sleep(now?.state === "running" ? takenOver : idle)
  }).pipe(
    Effect.forever,
    Effect.catchAllCause((cause) =>
      Cause.isInterruptedOnly(cause)
        ? Effect.interrupt
        : Effect.flatMap(Breakdown, (breakdown) => Effect.zipRight(Deferred.failCause(breakdown, cause), Effect.never))
    )
  )
