/**
 * The tests in a browser run in a page of the policy `script-src 'self'`: what passes there evaluates no text. This shows that
 * the policy is in force.
 */
import { expect, test } from "vitest"

test("the page makes no code from text", () => {
  const { eval: evaluate } = globalThis
  expect(() => evaluate("1")).toThrow(EvalError)
  expect(() => Reflect.construct(Function, ["return 1"])).toThrow(EvalError)
})
