/**
 * The four rules that are checked before anything is sent, and the one name that is read leniently.
 */
import type { Input, Params, Rule } from "./declaration.js"

/** The name that stands for the owner of the access token. */
export const me = "@me"

/** Whether a user name is `@me`, in any case and with blanks around it. */
export const isMe = (username: unknown): boolean => typeof username === "string" && username.trim().toLowerCase() === me

/** Whether an input was given at all. */
export const isGiven = (value: unknown): boolean => value !== undefined && value !== null

const isBlank = (value: unknown): boolean => !isGiven(value) || (typeof value === "string" && value.trim() === "")

const notBlank = (number: 1 | 3 | 4, input: string): Rule => ({
  number,
  brokenBy: (params) => (isBlank(params[input]) ? input : undefined)
})

/** A search has a keyword. */
export const hasKeyword: Rule = /*#__PURE__*/ notBlank(1, "q")

/** A write changes something. */
export const changes = (inputs: ReadonlyArray<Input>): Rule => ({
  number: 2,
  brokenBy: (params: Params) => (inputs.some((input) => isGiven(params[input])) ? undefined : "params")
})

/** A profile has an owner. */
export const namesUser: Rule = /*#__PURE__*/ notBlank(3, "username")

/** A list has an owner. */
export const namesListOwner: Rule = /*#__PURE__*/ notBlank(4, "username")
