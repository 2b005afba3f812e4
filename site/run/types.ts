// What asks the worker that checks types. No page loads it before a reader has changed a program.
import { checker, declarations } from "virtual:types"
import type { Mistake, Question } from "./checker.js"

/** What is known of the types of a program. */
export type Checked = "unchecked" | "checking" | "unknown" | ReadonlyArray<Mistake & { readonly line: number }>

let worker: Worker | undefined

/** The last question, and what takes its answer: one at a time is asked. */
let last: Promise<unknown> = Promise.resolve()

const answerOf = (question: Question): Promise<ReadonlyArray<Mistake>> =>
  new Promise((resolve, reject) => {
    const asked = (worker ??= new Worker(checker))
    const end = () => {
      asked.removeEventListener("message", onMessage)
      asked.removeEventListener("error", onError)
    }
    const onMessage = ({ data }: MessageEvent<ReadonlyArray<Mistake> | undefined>) => {
      end()
      if (data === undefined) {
        onError()
      } else {
        resolve(data)
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
 * The mistakes in the types of a program. Rejected if the compiler could not be loaded.
 *
 * @param isWanted whether the answer is still wanted once those before it are given; without one, no mistakes are found
 */
export const mistakesIn = (source: string, isWanted: () => boolean): Promise<ReadonlyArray<Mistake>> => {
  const { catalog, effect } = declarations
  const isEffect = /["'](@catalog-client|effect)\b/.test(source)
  const answer = last.then(() =>
    isWanted() ? answerOf({ source, declarations: isEffect ? [catalog, effect] : [catalog] }) : []
  )
  last = answer.catch(() => {})
  return answer
}
