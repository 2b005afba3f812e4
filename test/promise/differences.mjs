// The tests of promises that do not hold for `catalog-client`, by a part of their names.

/** @type {ReadonlyArray<{ readonly test: string, readonly why: string }>} */
export const differences = [
  { test: "on the Effect face", why: "Effects are those of @catalog-client/core" },
  { test: "on the client face", why: "a client is an Effect service" },
  { test: "(Effect)", why: "Effects are those of @catalog-client/core" },
  {
    test: "timeout ends a call that gets no headers, to the millisecond",
    why: "the clock of the test is Effect's; the suites of faults measure real timeouts"
  },
  {
    test: "what ends early is forgotten by the catalog and its views",
    why: "the fibers that it counts are those of Effect 3"
  },
  { test: "the counters see a call in flight", why: "the fibers that it counts are those of Effect 3" },
  {
    test: "are read again for each page if a slot is an Effect",
    why: "a credential is a string, a function or a promise"
  },
  { test: "a logger gets the lines in addition to a logger of the Layer", why: "no Layer has a logger" },
  { test: "a client's defect is not a failure of the transport", why: "a fetch has no defects: it rejects" }
]
