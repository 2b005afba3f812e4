// The tests of core that do not hold on Effect 4, by a part of their names.

/** What behaves differently. The table in docs/decisions/effect-4.md describes the same to users. */
export const differences = [
  { test: "a timeout of {} is a mistake", why: "Duration reads an object as its units, and {} as zero" },
  {
    test: "with a ConfigError that says why",
    why: "a ConfigError has other words, and an empty variable counts as missing"
  },
  { test: "fails for other variables, too", why: "a ConfigError has other words" },
  { test: "takes its options from Config", why: "a ConfigError has other members" },
  { test: "layerConfig fails for what is missing, without a secret", why: "a ConfigError has other words" },
  {
    test: "a FiberRef that a transport or a slot changes is changed for the caller",
    why: "references are in the context: what a child changes stays in the child"
  },
  { test: "and only for the client that it wraps", why: "a client leaves no reference behind in the fiber" },
  { test: "a program's own labels are added, and those of a metric win", why: "a metric has a label once" },
  {
    test: "with a runtime that is disposed fails no call of another one",
    why: "a ManagedRuntime that is disposed interrupts its fibers"
  },
  {
    test: "one that is derived from it ends a body that heeds no signal",
    why: "the call continues before the client has cancelled the body"
  },
  { test: "the Layer drops connections with the errors of a transport", why: "an HttpClientError has a reason" },
  { test: "the Layer refuses", why: "an HttpClientError has a reason" }
]

/** Tests that use names of Effect 3 which have no counterpart; what they test behaves the same. */
export const otherNames = [
  "any JSON value in the place of any optional member",
  "a client remembers no more than 256 warnings",
  "can be encoded and decoded, by its own Schema",
  "without names has the default members",
  "generates and encodes what it describes",
  "core names the tags of the platform's clients",
  "is forgotten by the catalog and its views",
  "20: the store is",
  "for a random part of a maximum that doubles",
  "for 500 ms at most before the second attempt",
  "begins again with each call, and gets the errors",
  "can have fractions of milliseconds; hooks and spans"
]
