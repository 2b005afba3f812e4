// Ends the endless loops of a changed program, which would freeze its page.
import type { Run } from "./program.js"
import { languages, Token, tokenizeText, type TokenStream } from "prism-code-editor/prism"

/** The name of the guard in the code of a program. */
export const guardName = "__guard"

/** For how long loops can keep the page from all else, in milliseconds. */
const limit = 3_000

/** When a loop first ran since the page was last free. */
let since: number | undefined

const { port1, port2 } = new MessageChannel()
port1.addEventListener("message", () => (since = undefined))
port1.start()

/** What a loop calls each time. Throws in one that does not end, and in a program that was stopped. */
export const guardOf =
  ({ isLatest }: Pick<Run, "isLatest">) =>
  (): true => {
    if (!isLatest()) {
      throw new Error("This program was stopped.")
    } else if (since === undefined) {
      since = performance.now()
      port2.postMessage(undefined)
    } else if (performance.now() - since > limit) {
      throw new Error(`This loop ran for ${limit / 1000} seconds without a pause, so it was stopped.`)
    }
    return true
  }

interface Leaf {
  readonly type: string
  readonly text: string
}

/** The innermost tokens of code, and the strings between them. */
const leavesOf = (tokens: TokenStream): ReadonlyArray<Leaf> =>
  tokens.flatMap((token) => {
    const { content, type } = token instanceof Token ? token : { content: token, type: "" }
    return typeof content === "string" ? [{ type, text: content }] : leavesOf(content)
  })

/** Code with a call of the guard before the condition of each `while` and `for`. Its lines stay the same. */
export const guarded = (code: string): string => {
  // The colours of the editor know what is not a loop: strings, comments and members.
  const leaves = leavesOf(tokenizeText(code, languages["typescript"] ?? {}))
  const isCode = ({ text, type }: Leaf) => type !== "comment" && text.trim() !== ""
  /** The loop whose head begins next. */
  let loop = ""
  /** The brackets that are open: a loop, if it is the head of one. */
  const open: Array<string> = []
  let result = ""
  for (const [at, leaf] of leaves.entries()) {
    const { text, type } = leaf
    result += text
    if (type === "keyword" && (text === "for" || text === "while")) {
      loop = text
    } else if (type.endsWith("punctuation") && /[([{]$/.test(text)) {
      open.push(loop)
      result += loop === "while" ? `${guardName}(), ` : ""
      loop = ""
    } else if (type.endsWith("punctuation") && /^[)\]}]/.test(text)) {
      open.pop()
    } else if (text === ";" && open.at(-1) === "for") {
      // No condition begins after its second semicolon.
      open.splice(-1, 1, "")
      const hasCondition = leaves.slice(at + 1).find(isCode)?.text !== ";"
      result += `${guardName}()${hasCondition ? "," : ""}`
    } else if (isCode(leaf) && text !== "await") {
      loop = ""
    }
  }
  return result
}
