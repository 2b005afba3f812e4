// The tests of promises that do not hold for `catalog-client`, by a part of their names.

/**
 * @param {string} why
 * @param {ReadonlyArray<string>} tests
 */
const because = (why, tests) => tests.map((test) => ({ test, why }))

/** @type {ReadonlyArray<{ readonly test: string, readonly title?: string, readonly why: string }>} */
export const differences = [
  { test: "on the Effect face", title: "on the %s face", why: "Effects are those of @catalog-client/core" },
  { test: "on the client face", title: "on the %s face", why: "a client is an Effect service" },
  { test: "(Effect)", title: "(%s)", why: "Effects are those of @catalog-client/core" },
  ...because("Effects, Layers, Streams and their clients are those of @catalog-client/core", [
    "credentials that cannot be obtained",
    "hooks that return Effects",
    "policies that a Layer makes",
    "printing a fiber in flight does not show them",
    "no console shows a credential",
    "a process that ends by an uncaught error",
    "layerConfig takes a Config or a value for each slot",
    "a client error of a slot",
    "a slot that calls an operation",
    "over a transport of their own use that transport",
    "from a value, from a slot, and beside a client ID",
    "a wait for a rate limit calls onWait",
    "replies from the cache are counted",
    "a call whose refused token is renewed reports both requests",
    "values that were copied or read from a file",
    "an authorization response",
    "the grants over fetch and TestClock",
    "calls have the profile of their session, and no other origin gets its token",
    "a call that is cancelled before it reads credentials redacts known ones",
    "that was sent is cut out, however many came after it",
    "printing a configuration shows no header that holds a secret",
    "a secret is not printed with a request that is logged",
    "a token that replaces a refused one is redacted, too",
    "wraps the exchange: it sees the call",
    "if the Layer is closed, and not retried",
    "is that of the fiber's clock",
    "one adjustment of a test clock",
    "a slot returns a Redacted string",
    "a slot returns an Option",
    "of an Effect that makes",
    "has the response of a call",
    "the Effect that makes a policy is a TypeError of the call",
    "attempts that are traced each have a span"
  ]),
  ...because("a policy is an async function, and its call has no credentials", [
    "a policy that was not made yet is a TypeError",
    "what returns a promise is a TypeError",
    "what returns nothing is a TypeError",
    "7: policies see a call with the old token, and then one with the new token"
  ]),
  ...["SQLite", "Redis"].map((database) => ({
    test: `two processes over ${database}`,
    title: "two processes over %s",
    why: "a store of @catalog-client/node is made of the Effects of another copy; packages/promise/test/redis.test.ts has the one of catalog-client"
  })),
  ...because("the fibers that it counts are those of Effect 3", ["the counters see a call in flight"]),
  ...because("a Redacted is not wiped: a credential that changes is a function", [
    "a wiped credential is not sent",
    "a configured token or header that is wiped"
  ]),
  {
    test: "are read again for each page if a slot is an Effect",
    why: "a credential is a string or a function"
  },
  { test: "without a transport it sends with the fetch of the platform", why: "on Node it sends with undici" },
  {
    test: "a body of many small parts is copied while it arrives",
    why: "its transport is written by hand"
  },
  ...["20000000n", "[ +0, 20000000 ]", "_tag: 'Millis', millis: 20 }"].map((value) => ({
    test: `${value} is a timeout`,
    title: "%o is a timeout, and the error has its milliseconds",
    why: "a duration is a number or a string"
  })),
  ...["_tag: 'Millis', millis: +0 }", "_tag: 'Infinity' }"].map((value) => ({
    test: `${value} is no timeout`,
    title: "%o is no timeout",
    why: "a duration is a number or a string"
  })),
  {
    test: "and does not show the value as a value",
    title: "that are invalid are a mistake that names the slot, and does not show the value",
    why: "a Redacted of Effect is a mistake with its own message, which packages/promise/test/mistakes.test.ts shows"
  }
]
