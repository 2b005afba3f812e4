// What the address of Explore keeps: the view, the choices in it, the fault and the policies.
import { nextTick, shallowReactive, watch } from "vue"

/** The query of the page's address. */
export interface Address {
  readonly query: () => string
  /** Changes it, as a new entry of the history or in place of the current one. */
  readonly go: (query: string, options: { readonly replace: boolean }) => void
}

/** A part of the query. */
export interface Parameter {
  readonly name: string
  /** Its text now; `undefined` for the default, which the address leaves out. */
  readonly read: () => string | undefined
  /** Takes the text of an address. One that makes no sense is ignored. */
  readonly write: (text: string | undefined) => void
  /** Whether a change is a step in the history, to which Back returns. */
  readonly isStep?: boolean
}

type Value = string | number | boolean | ReadonlyArray<string>

/** A value of the same type as another, from its text; `undefined` if there is none. */
const parsed = (text: string, like: Value, choices?: ReadonlyArray<string>): Value | undefined => {
  const isChoice = (value: string) => choices === undefined || choices.includes(value)
  if (typeof like === "number") {
    return /^\d{1,9}$/.test(text) ? Number(text) : undefined
  }
  if (typeof like === "boolean") {
    return text === "true"
  }
  if (typeof like === "string") {
    return isChoice(text) ? text : undefined
  }
  return text.split(",").filter((value) => value !== "" && isChoice(value))
}

/**
 * A member of a state as a parameter. What it is now is the default.
 *
 * @param choices its values, or those in its list, if not all are; a function where another member decides, and the first is the
 * default
 */
export const memberOf = <S extends object>(
  state: S,
  name: keyof S & string,
  {
    choices,
    isStep = false
  }: { readonly choices?: ReadonlyArray<string> | (() => ReadonlyArray<string>); readonly isStep?: boolean } = {}
): Parameter => {
  const values = state as Record<string, Value>
  const first = values[name] ?? ""
  const choicesNow = () => (typeof choices === "function" ? choices() : choices)
  const usual = () => (typeof choices === "function" ? (choices()[0] ?? "") : first)
  return {
    name,
    isStep,
    read: () => {
      const text = String(values[name])
      return text === String(usual()) ? undefined : text
    },
    write: (text) => {
      const value = text === undefined ? usual() : parsed(text, first, choicesNow())
      if (value !== undefined && String(value) !== String(values[name])) {
        values[name] = value
      }
    }
  }
}

/** Keeps parameters of the view that is shown, and those of all views, in the address. */
export const makeKeeper = <View extends string>(address: Address, view: () => View) => {
  const usual = view()
  const kept = shallowReactive(new Map<View | "all", ReadonlyArray<Parameter>>())
  const parametersNow = () => (["all", view()] as const).flatMap((of) => kept.get(of) ?? [])

  const take = (parameters: ReadonlyArray<Parameter>, from = address.query()): void => {
    const query = new URLSearchParams(from)
    for (const { name, write } of parameters) {
      write(query.get(name) ?? undefined)
    }
  }

  const queryOf = (parameters: ReadonlyArray<Parameter>): string => {
    const query = parameters.flatMap(({ name, read }) => {
      const text = read()
      return text === undefined ? [] : [`${name}=${encodeURIComponent(text).replaceAll("%2C", ",")}`]
    })
    return query.length === 0 ? "" : `?${query.join("&")}`
  }

  const steps = () => queryOf(parametersNow().filter(({ isStep }) => isStep === true))
  let last = ""
  // Back, forward, or a link.
  watch(address.query, () => {
    take(kept.get("all") ?? [])
    take(kept.get(view()) ?? [])
    last = steps()
  })
  // A view that is shown for the first time has its parameters by then.
  watch(
    () => queryOf(parametersNow()),
    (query) => {
      const replace = steps() === last
      last = steps()
      if (query !== address.query()) {
        address.go(query, { replace })
      }
    },
    { flush: "post" }
  )
  /** The query of a view that is about to be shown. */
  let wanted = ""
  const visit = async (query: string): Promise<void> => {
    const choices = new URLSearchParams(query)
    const made = kept.get(choices.get("view") as View) ?? []
    wanted = query
    take(
      [...(kept.get("all") ?? []), ...made].filter(({ name }) => choices.has(name)),
      query
    )
    await nextTick()
    wanted = ""
  }
  const keep = (of: View | "all", parameters: ReadonlyArray<Parameter>): void => {
    kept.set(of, [...(kept.get(of) ?? []), ...parameters])
    if (of === new URLSearchParams(wanted).get("view")) {
      take(parameters, wanted)
      return
    }
    // The address can be that of another view, which this one takes the place of.
    if (of === "all" || of === (new URLSearchParams(address.query()).get("view") ?? usual)) {
      take(parameters)
      last = steps()
    }
  }
  return { keep, visit }
}
