// The tests that do not hold on Effect 4, by a part of their names.

/**
 * What behaves differently, with `title` where the name of the test is not written like that. The table in
 * docs/decisions/effect-4.md describes the same to users, and effect4/core/test/differences.test.ts tests what Effect 4 does.
 *
 * @type {ReadonlyArray<{ readonly test: string, readonly title?: string, readonly why: string }>}
 */
export const differences = [
  {
    test: "a timeout of {} is a mistake",
    title: "a timeout of %o is a mistake",
    why: "Duration reads an object as its units, and {} as zero"
  },
  {
    test: "with a ConfigError that says why",
    why: "a ConfigError has other words, and an empty variable counts as missing"
  },
  { test: "fails for other variables, too", why: "a ConfigError has other words" },
  { test: "OAuthSession.layerConfig fails with a ConfigError", why: "a ConfigError has other words" },
  {
    test: "a FiberRef that a transport or a slot changes is changed for the caller",
    why: "references are in the context: what a child changes stays in the child"
  },
  { test: "a program's own labels are added, and those of a metric win", why: "a metric has a label once" },
  {
    test: "disposing one runtime fails no other runtime's calls",
    why: "a ManagedRuntime that is disposed interrupts its fibers"
  },
  {
    test: "one that is derived from it ends a body that heeds no signal",
    why: "the call continues before the client has cancelled the body"
  },
  { test: "the Layer refuses", why: "an HttpClientError has a reason" },
  {
    test: "over undici transport printing a fiber in flight",
    title: "printing a fiber in flight",
    why: "JSON of a fiber has the request that another transport holds"
  },
  { test: "has types, ranges, defaults and known words of inputs", why: "no annotation has the range of a number" },
  { test: "has a score as a number, since the service rounds one", why: "no annotation has the range of a number" }
]
