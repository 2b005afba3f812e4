// What the parts of the page share: the session, the view that is shown, and the title that was opened last.
import {
  computed,
  type InjectionKey,
  inject,
  nextTick,
  provide,
  reactive,
  shallowReactive,
  shallowRef,
  watch,
  type WatchSource
} from "vue"
import { type Address, makeKeeper, memberOf } from "./address.js"
import type { InputsOf, OperationName, ReplyOf } from "./calls.js"
import { hadNoEffect, isTemporary, shownError, type ShownError } from "./errors.js"
import { type Again, type CallRecord, makeSession, type Session } from "./session.js"
import { nameOf } from "./inspector.js"
import { makeSignIn } from "./signIn.js"
import { placesInExplore } from "../urls.js"

export const kinds = ["anime", "manga"] as const

export type Kind = (typeof kinds)[number]

export const views = {
  search: "Search",
  season: "Season",
  list: "My list",
  title: "Title",
  rankings: "Rankings",
  forum: "Forum",
  profile: "Profile"
} as const

export type ViewName = keyof typeof views

/** What became of the last change of a view. */
export interface LastChange {
  readonly notice: string
  readonly error?: ShownError
}

/** An item as a card shows it. */
export interface CardItem {
  readonly id: number
  readonly title: string
  readonly mean?: number | undefined
  readonly genres?: ReadonlyArray<{ readonly name?: string | undefined }> | undefined
}

/** A page of a list, as views read it. */
export interface PageOf<A> {
  readonly data: ReadonlyArray<A>
  readonly paging?: { readonly next?: string | undefined } | undefined
}

/** A mean score, if there is one: `★ 8.30`. */
export const stars = (mean: number | undefined): string => (mean === undefined ? "" : `★ ${mean.toFixed(2)}`)

export interface Explore {
  readonly session: Session
  readonly signIn: ReturnType<typeof makeSignIn>
  /**
   * `opened` is how many titles were opened: the same one again is read again. `operation` was picked for My list, which calls
   * another one first; empty if none was, or after the next call.
   */
  readonly state: { view: ViewName; title: { kind: Kind; id: number }; opened: number; operation: string }
  /** How often each view has changed the user's lists. */
  readonly changes: Map<ViewName, number>
  /** The call that the inspector shows with the view: the one that was chosen there, by the reader or because it is new. */
  readonly inspected: () => CallRecord | undefined
  readonly inspect: (id: number) => void
  /** Shows a title, and moves the focus there. */
  readonly openTitle: (kind: Kind, id: number) => void
  /** Keeps choices of a view, or of all, in the address; takes those that it has. */
  readonly keep: ReturnType<typeof makeKeeper<ViewName>>["keep"]
  /** Shows a view with some of its choices. */
  readonly visit: ReturnType<typeof makeKeeper<ViewName>>["visit"]
}

/** Whether an operation changes the user's list: Explore calls it only when its button is pressed. */
export const isChange = (operation: string): boolean => /\.(?:updateMyListStatus|deleteFromList)$/.test(operation)

/** The operations that an address names, because their view calls another one first. */
const named = Object.entries(placesInExplore).flatMap(([name, place]) => (place.includes("operation=") ? [name] : []))

const key: InjectionKey<Explore> = Symbol("explore")

/** @param latency of the service, in milliseconds, unless the address has another one */
export const makeExplore = (address: Address, latency = 250): Explore => {
  const state = reactive<Explore["state"]>({
    view: "search",
    title: { kind: "anime", id: 30230 },
    opened: 0,
    operation: ""
  })
  // Read once.
  const service = { latency }
  const { keep, visit } = makeKeeper(address, () => state.view)
  const isStep = true
  keep("all", [memberOf(state, "view", { choices: Object.keys(views), isStep }), memberOf(service, "latency")])
  keep("title", [memberOf(state.title, "kind", { choices: kinds, isStep }), memberOf(state.title, "id", { isStep })])
  keep("list", [memberOf(state, "operation", { choices: named })])
  const panel = () => document.getElementById("view-panel")
  /** What opened a title from each view. Back gives it the focus again, unless something else has it. */
  const openers = new Map<ViewName, HTMLElement | null>()
  watch(
    () => state.view,
    (view) => {
      const opener = openers.get(view)
      if (opener === undefined) {
        return
      }
      // The browser has scrolled the page by then.
      requestAnimationFrame(() => {
        const { activeElement, body } = document
        if (activeElement === body || activeElement === panel()) {
          opener?.focus()
        }
      })
    },
    { flush: "post" }
  )
  const session = makeSession(service.latency)
  const signIn = makeSignIn(session)
  const { calls } = session
  const chosen = shallowReactive(new Map<ViewName, number>())
  const inspected = computed(() => calls.find(({ id }) => id === chosen.get(state.view)) ?? calls[0])
  const isPicked = (call: CallRecord | undefined) => call !== undefined && nameOf(call) === state.operation
  const inspect = (id: number): void => void chosen.set(state.view, id)
  // A new call is shown at once; of several, the one that was picked, or the first: what a view shows, and not what is beside it.
  watch(
    () => calls[0]?.id,
    (newest = 0, last = 0) => {
      const made = calls.filter(({ id }) => id > last)
      const picked = made.find(isPicked)
      if (isChange(state.operation) ? picked !== undefined : picked === undefined && isPicked(inspected.value)) {
        state.operation = ""
      }
      inspect((picked ?? made.at(-1))?.id ?? newest)
    }
  )
  // Back takes the view from the address first, and the operation then.
  watch(
    () => state.view,
    () => (state.operation = ""),
    { flush: "sync" }
  )
  // What came of a sign-in stays until it is seen, in one of the views that show it.
  watch(
    () => state.view,
    (_, left) => {
      if (["list", "profile", "rankings"].includes(left)) {
        signIn.clear()
      }
    }
  )
  return {
    session,
    signIn,
    state,
    changes: shallowReactive(new Map()),
    inspected: () => inspected.value,
    inspect: (id) => {
      inspect(id)
      if (!isPicked(inspected.value)) {
        state.operation = ""
      }
    },
    keep,
    visit,
    openTitle: (kind, id) => {
      openers.set(state.view, document.querySelector<HTMLElement>(":focus"))
      Object.assign(state.title, { kind, id })
      state.view = "title"
      state.opened += 1
      void nextTick(() => {
        panel()?.focus({ preventScroll: true })
        const { top } = panel()?.getBoundingClientRect() ?? { top: 0 }
        if (top < 0 || top > innerHeight / 2) {
          panel()?.scrollIntoView()
        }
      })
    }
  }
}

export const provideExplore = (address: Address): Explore => {
  const explore = makeExplore(address)
  provide(key, explore)
  return explore
}

export const useExplore = (): Explore => {
  const explore = inject(key)
  if (explore === undefined) {
    throw new Error("useExplore is called outside of Explore.vue")
  }
  return explore
}

/**
 * Changes whenever a view has to be read again, for another user or after a change in another view: at once if the view is shown,
 * otherwise as soon as it is.
 */
export const versionOf = ({ changes, session: { account }, state }: Explore, view: ViewName): WatchSource<number> => {
  const version = shallowRef(0)
  const others = () => [...changes].reduce((sum, [of, count]) => (of === view ? sum : sum + count), 0)
  let last = [account.value, others()]
  watch(
    [account, others, () => state.view],
    ([user, count]) => {
      if (state.view === view && (user !== last[0] || count !== last[1])) {
        last = [user, count]
        version.value += 1
      }
    },
    { flush: "sync" }
  )
  return version
}

/** Makes the function that sends the changes of a view, and counts those that may have had an effect. */
export const makeSend = ({ changes, session: { call } }: Explore, view: ViewName): Session["call"] => {
  const count = () => changes.set(view, (changes.get(view) ?? 0) + 1)
  const send: Session["call"] = async (operation, inputs, making) => {
    try {
      const again: Again = async (making) => void (await send(operation, inputs, making))
      const reply = await call(operation, inputs, making, again)
      count()
      return reply
    } catch (error) {
      if (!hadNoEffect(shownError(error))) {
        count()
      }
      throw error
    }
  }
  return send
}

/** Waits until a choice stays for a moment: a select that is closed chooses by each arrow key, and the last choice is sent. */
export const untilChosen = async (read: () => unknown): Promise<void> => {
  let before: unknown
  do {
    before = read()
    await new Promise((resolve) => setTimeout(resolve, 500))
  } while (read() !== before)
}

/** What the latest call of a part is about. */
interface About {
  /** What is shown of anything else is removed at once: it would look like a part of the reply. */
  readonly of?: string
  /** Whether the reply is added to what is shown, which stays if the call fails. */
  readonly isMore?: boolean
}

/**
 * The latest call of a part of a view: a new call cancels the one before. One that failed is made again once the service works.
 *
 * @param clear removes what the part shows
 */
export const makeLatest = ({ call, faults }: Session, clear: () => void) => {
  const state = shallowReactive({
    isLoading: false,
    error: undefined as ShownError | undefined,
    /** Makes the same call again. */
    again: (): void => {}
  })
  let current: AbortController | undefined
  let shown: string | undefined
  watch(
    () => faults.state.name,
    (name) => {
      if (name === "none" && state.error !== undefined && isTemporary(state.error)) {
        state.again()
      }
    }
  )
  const run = async <N extends OperationName>(
    operation: N,
    inputs: InputsOf<N>,
    onReply: (reply: ReplyOf<N>) => void,
    { isMore = false, of }: About = {}
  ): Promise<void> => {
    state.again = () => void run(operation, inputs, onReply, { isMore, ...(of !== undefined && { of }) })
    current?.abort()
    const own = new AbortController()
    current = own
    if (of !== shown) {
      shown = of
      state.error = undefined
      clear()
    }
    state.isLoading = true
    const again: Again = async (making) => {
      const reply = await call(operation, inputs, making, again)
      // More entries would be there twice.
      if (current === own && !isMore) {
        state.error = undefined
        onReply(reply)
      }
    }
    try {
      const reply = await call(operation, inputs, { signal: own.signal }, again)
      if (current !== own) {
        return
      }
      state.error = undefined
      onReply(reply)
    } catch (error) {
      if (current === own) {
        state.error = shownError(error)
        if (!isMore) {
          clear()
        }
      }
    } finally {
      if (current === own) {
        state.isLoading = false
      }
    }
  }
  return {
    state,
    /** Cancels the call in flight, and shows nothing. */
    stop: (): void => {
      current?.abort()
      current = undefined
      state.isLoading = false
      state.error = undefined
      clear()
    },
    run
  }
}
