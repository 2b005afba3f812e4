// What asks the worker about types. No page loads it before a reader edits.
import { checker, declarations } from "virtual:types"
import type { Answers, Mistake, Question } from "./checker.js"

/** What is known of the types of a program. */
export type Checked = "unchecked" | "checking" | "unknown" | ReadonlyArray<Mistake & { readonly line: number }>

let worker: Worker | undefined

/** The last question, and what takes its answer: one at a time is asked. */
let last: Promise<unknown> = Promise.resolve()

const answerOf = <K extends keyof Answers>(question: Question & { readonly kind: K }): Promise<Answers[K]> =>
  new Promise((resolve, reject) => {
    const asked = (worker ??= new Worker(checker))
    const end = () => {
      asked.removeEventListener("message", onMessage)
      asked.removeEventListener("error", onError)
    }
    const onMessage = ({ data }: MessageEvent<{ readonly answer: Answers[K] } | object>) => {
      end()
      if ("answer" in data) {
        resolve(data.answer)
      } else {
        onError()
      }
    }
    const onError = () => {
      end()
      // It is loaded again with the next question.
      asked.terminate()
      worker = undefined
      reject(new Error("Types could not be checked."))
    }
    asked.addEventListener("message", onMessage)
    asked.addEventListener("error", onError)
    asked.postMessage(question, [])
  })

/**
 * An answer about a program, or about a place in it. Rejected if the compiler could not be loaded.
 *
 * @param isWanted whether the answer is still wanted once those before it are given; without one, there is none
 */
export const ask = <K extends keyof Answers>(
  kind: K,
  source: string,
  at: number,
  isWanted: () => boolean
): Promise<Answers[K] | undefined> => {
  const { catalog, effect } = declarations
  const isEffect = /["'](@catalog-client|effect)\b/.test(source)
  const answer = last.then(() =>
    isWanted() ? answerOf({ kind, source, at, declarations: isEffect ? [catalog, effect] : [catalog] }) : undefined
  )
  last = answer.catch(() => {})
  return answer
}
