/**
 * The formats of values: ranges of numbers, patterns of strings, and the samples that are made for tests.
 */

/** Numbers within limits, both included. */
export interface Numbers {
  readonly isWhole: boolean
  readonly minimum: number
  /** If it is missing, samples are up to 50 000. */
  readonly maximum?: number
}

/** Strings of one format. */
export interface Strings {
  /** The pattern of samples. */
  readonly sample: RegExp
  /** The pattern of valid inputs. */
  readonly accepts: RegExp
  /** `accepts` in words, for messages. */
  readonly must: string
  readonly minLength?: number
  readonly maxLength?: number
}

export const whole = (minimum: number, maximum?: number): Numbers => ({
  isWhole: true,
  minimum,
  ...(maximum !== undefined && { maximum })
})

const decimal = (minimum: number, maximum: number): Numbers => ({
  isWhole: false,
  minimum,
  maximum
})

export const id = /*#__PURE__*/ whole(1)
/** From the oldest anime that the service has. */
export const year = /*#__PURE__*/ whole(1917, 2100)
export const score = /*#__PURE__*/ whole(0, 10)
const mean = /*#__PURE__*/ decimal(0, 10)
export const priority = /*#__PURE__*/ whole(0, 2)
export const repeatValue = /*#__PURE__*/ whole(0, 5)
export const anyCount = /*#__PURE__*/ whole(0)
const count = /*#__PURE__*/ whole(0, 2000)
const people = /*#__PURE__*/ whole(0, 1_000_000)
const days = /*#__PURE__*/ decimal(0, 1000)
/** Since 1970. */
const milliseconds = /*#__PURE__*/ whole(1_000_000_000_000, 2_000_000_000_000)

const strings = (sample: RegExp): Strings => ({ sample, accepts: /^/, must: "must be a string" })

export const word = /*#__PURE__*/ strings(/^[a-z]{3,10}$/)
const name = /*#__PURE__*/ strings(/^[A-Z][a-z]{2,9}( [A-Z][a-z]{2,9}){0,2}$/)
export const prose = /*#__PURE__*/ strings(/^[A-Z][a-z]{2,9}( [a-z]{2,9}){2,9}[.]$/)
/** A name that `fields` can have. */
export const field = /*#__PURE__*/ strings(/^(title|status|mean|score|name)$/)
const digits = /*#__PURE__*/ strings(/^[1-9][0-9]{0,5}$/)
const url = /*#__PURE__*/ strings(/^https:[/][/]catalog[.]example[/][a-z]{3,9}[/][1-9][0-9]{0,4}$/)
const date = /*#__PURE__*/ strings(/^(19[6-9][0-9]|20[0-2][0-9])(-(0[1-9]|1[0-2])(-(0[1-9]|1[0-9]|2[0-8]))?)?$/)
const day = /*#__PURE__*/ strings(/^(19[6-9][0-9]|20[01][0-9])-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])$/)
const timestamp = /*#__PURE__*/ strings(
  /^20[0-2][0-9]-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9][+]00:00$/
)
const time = /*#__PURE__*/ strings(/^([01][0-9]|2[0-3]):[0-5][0-9]$/)

/** A keyword. Its length is counted in characters, as in JSON Schema. */
export const keyword: Strings = {
  accepts: /^(?=.*\S).{3,64}$/su,
  must: "must have 3 to 64 characters, and not only spaces",
  sample: /^[a-z]{3,9}( [a-z]{3,9})?$/,
  minLength: 3,
  maxLength: 64
}

/** A user's name, or `@me`. */
export const username: Strings = {
  accepts: /\S/,
  must: "must not be blank",
  sample: /^(@me|[A-Za-z][A-Za-z0-9_-]{2,15})$/,
  minLength: 1
}

/** A date that is written; an empty string removes one. */
export const writtenDate: Strings = {
  accepts: /^([0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?)?$/,
  must: "must be YYYY-MM-DD, YYYY-MM or YYYY, or empty",
  sample: date.sample
}

/** What a number must be, in words. */
export const mustOf = ({ isWhole, maximum, minimum }: Numbers): string =>
  `must be a ${isWhole ? "whole number" : "number"} ${maximum === undefined ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`}`

/** The largest sample. */
export const maxSample = ({ maximum = 50_000 }: Numbers): number => maximum

/** Inputs of an update that are not changes: they select the entry or shape the reply. */
const notChanged: ReadonlyArray<string> = ["id", "fields", "nsfw"]

/** Whether an update changes something, as the client's rule demands. */
export const changes = (update: object): boolean =>
  Object.entries(update).some(([name, value]) => value !== undefined && !notChanged.includes(name))

/** The value of the first pattern that a string matches. */
const firstOf = <A>(rules: ReadonlyArray<readonly [RegExp, A]>, value: string): A | undefined =>
  rules.find(([pattern]) => pattern.test(value))?.[1]

/** The numbers of replies, by the names of their members. */
export const numberNamed = (member: string): Numbers =>
  firstOf(
    [
      [/^(id|anime_id|rank|previous_rank|popularity|number)$/, id],
      [/^year$/, year],
      [/^(mean|mean_score)$/, mean],
      [/^score$/, score],
      [/^priority$/, priority],
      [/^(rewatch|reread)_value$/, repeatValue],
      [/^num_days/, days],
      [/_at$/, milliseconds],
      [/users|favorites|votes/, people]
    ],
    member
  ) ?? count

/** The strings of replies: by the comment on a member, or by its name. */
export const stringNamed = (member: string, comment: string): Strings =>
  firstOf(
    [
      [/^URL/, url],
      [/`YYYY-MM-DD`/, date]
    ],
    comment
  ) ??
  firstOf(
    [
      [/_at$/, timestamp],
      [/^birthday$/, day],
      [/^start_time$/, time],
      [/^(title|name|first_name|last_name|en|ja|synonyms|location)$/, name],
      [/^(gender|tags|role|time_zone|relation_type_formatted|forum_title)$/, word],
      [/^(watching|completed|on_hold|dropped|plan_to_watch)$/, digits]
    ],
    member
  ) ??
  prose
