// The pages of the reference, and the entry points of each.

const core = "@catalog-client/core"

/** The pages, and the modules of each; where two modules describe a name in the same words, the first does. */
export const pages = [
  {
    file: "catalog-client.md",
    title: "API: promises",
    intro: `The signature of everything in \`catalog-client\`, except [operations](../operations/README.md) and [records](../operations/records.md). [Databases, lists, queries and telemetry](subpaths.md) have their own page. A function throws a \`TypeError\` for an invalid option.`,
    modules: ["catalog-client"]
  },
  {
    file: "core.md",
    title: "API: Effect",
    intro: `What the packages for Effect export, with the signatures for Effect 4; [two tables](../effect-versions.md#moved-modules) have the names of Effect 3. An invalid option is a \`TypeError\`: an Effect, a Stream or a Layer dies with it, and any other function throws it.

Elsewhere:

- [operations](../operations/README.md), [records](../operations/records.md), and [names that are the same with promises](catalog-client.md)
- [sign-in](oauth.md), [tests](testing.md), [databases and lists](subpaths.md)
- \`${core}/guards\`: the guards alone; \`${core}/schemas\`: the [Schemas](../your-own-operation.md#schemas-with-effect) of params and replies

On this page:`,
    modules: [core, `${core}/models`, "@catalog-client/node", "@catalog-client/browser"]
  },
  {
    file: "oauth.md",
    title: "API: sign-in",
    intro:
      "Everything that signs users in and keeps their tokens; stores in databases are [on another page](subpaths.md). A function throws a `TypeError` for an invalid option; with Effect, it is a defect. For whole programs, see [one user](../recipes/sign-in.md) and [a server](../recipes/sign-in-server.md).",
    modules: [
      "catalog-client/oauth",
      "catalog-client/handlers",
      "@catalog-client/oauth",
      "@catalog-client/oauth/node",
      "@catalog-client/oauth/browser",
      "@catalog-client/oauth/router"
    ]
  },
  {
    file: "subpaths.md",
    title: "API: databases, lists, queries, telemetry",
    intro:
      "Entry points of their own: stores in Redis, PostgreSQL and SQLite, imports of lists, TanStack Query and OpenTelemetry. A function throws a `TypeError` for an invalid argument or option; with Effect, it is a defect.",
    modules: [
      "catalog-client/redis",
      "catalog-client/postgres",
      "catalog-client/sqlite",
      "catalog-client/sync",
      "catalog-client/queries",
      "catalog-client/telemetry",
      "@catalog-client/node/redis",
      "@catalog-client/node/sql",
      "@catalog-client/oauth/redis",
      "@catalog-client/oauth/sql",
      "@catalog-client/sync",
      "@catalog-client/sync/node"
    ]
  },
  {
    file: "testing.md",
    title: "API: testing",
    intro:
      "The embedded service, the recorder, and errors to test with. For whole tests, see [testing](../testing.md).",
    modules: ["catalog-client/testing", "@catalog-client/testing", "@catalog-client/testing/node"]
  }
]
