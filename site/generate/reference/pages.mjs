// The pages of the reference, and the entry points of each.

const core = "@catalog-client/core"

/** The pages, and the modules of each; where two modules describe a name in the same words, the first does. */
export const pages = [
  {
    file: "catalog-client.md",
    title: "API: promises",
    intro: `The signature of everything in \`catalog-client\`, except [operations](../operations/README.md) and [records](../operations/records.md). [Subpaths](subpaths.md) have their own page. A function throws a \`TypeError\` for an invalid option.`,
    modules: ["catalog-client"]
  },
  {
    file: "core.md",
    title: "API: Effect",
    intro: `What the packages for Effect export, except [operations](../operations/README.md), [records](../operations/records.md), [subpaths](subpaths.md) for databases and lists, and what is the same [with promises](catalog-client.md), to which links lead. An invalid option is a \`TypeError\`: an Effect, a Stream or a Layer dies with it, and a function that returns anything else, such as \`Credentials.make\`, throws it. [\`OAuthSession\`](oauth.md#oauthsession) and [\`OAuthSessions\`](oauth.md#oauthsessions) sign users in; [\`EmbeddedCatalog.layer\`](testing.md#embeddedcataloglayer) and [\`Recorder\`](testing.md#recorder) are for tests. Signatures are those for Effect 4; [a table](../effect-versions.md#renames) has the names of Effect 3. \`${core}/guards\` has the guards alone, and \`${core}/schemas\` the [Schemas](../your-own-operation.md#schemas) of all params and replies.`,
    modules: [core, `${core}/models`, "@catalog-client/node", "@catalog-client/browser"]
  },
  {
    file: "oauth.md",
    title: "API: sign-in",
    intro:
      "Everything that signs users in and keeps their tokens; stores in databases are [subpaths](subpaths.md). A function throws a `TypeError` for an invalid option. For whole programs, see [one user](../recipes/sign-in.md) and [a server](../recipes/sign-in-server.md).",
    modules: [
      "catalog-client/oauth",
      "catalog-client/handlers",
      "@catalog-client/oauth",
      "@catalog-client/oauth/node",
      "@catalog-client/oauth/browser"
    ]
  },
  {
    file: "subpaths.md",
    title: "API: subpaths",
    intro:
      "What is not in the main entry points: stores in Redis, PostgreSQL and SQLite, imports of lists, TanStack Query and OpenTelemetry, with promises and with Effect. A function throws a `TypeError` for an invalid option.",
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
