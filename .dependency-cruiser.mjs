// Which module may import which. Imports of types count like any other.
import { allFolders } from "./scripts/workspace.mjs"

const core = "^packages/core/src/"
/** @param {ReadonlyArray<string>} modules */
const inCore = (...modules) => modules.map((module) => `${core}${module.endsWith("/") ? module : `${module}[.]ts$`}`)

/** Core's modules from the outside in: each may import its own layer and the layers below, none above. A new module needs a place here. */
const layers = {
  face: inCore("index", "models", "schemas", "internal/index"),
  catalog: inCore("generated/", "Catalog", "CatalogClient", "internal/client/"),
  resilience: inCore("Resilience", "resilience/"),
  operations: inCore("anime", "manga", "user", "forum", "listUpdates", "Operation", "withResponse"),
  lists: inCore("internal/lists/"),
  call: inCore("internal/call/"),
  reply: inCore("internal/reply/"),
  telemetry: inCore("internal/telemetry/"),
  redaction: inCore("internal/redaction/"),
  credentials: inCore("internal/credentials/"),
  declaration: inCore("internal/declaration/"),
  services: inCore(
    "Face",
    "Credentials",
    "CatalogConfig",
    "CatalogHooks",
    "CatalogPolicy",
    "ServiceProfile",
    "Transport",
    "CatalogError",
    "guards",
    "Fields",
    "Selector",
    "internal/policies/",
    "internal/errors/",
    "internal/model/",
    "internal/schemas/",
    "internal/settings/",
    "model/"
  ),
  platform: inCore("platform/"),
  common: inCore("internal/common/")
}

/** The modules of core that may import @effect/platform; the fewer, the easier the move to Effect 4. */
const platformUsers = inCore("platform/", "internal/", "Face", "Transport")

/** The public modules that modules below internal/ may import values of. */
const publicClasses = inCore("CatalogError", "guards")

const testing = "^packages/testing/src/"

const platformUsersOfTesting = `${testing}((Api|EmbeddedCatalog|Recorder|internal/platform)[.]ts$|node/)`

/** The recorder stands on the client's side of the wire. The embedded service reads recordings too (`internal/recording/`), without it. */
const recorder = [`${testing}Recorder[.]ts$`, `${testing}internal/recorder/`]

const ordered = Object.entries(layers)

/** How catalog-client names the modules of the packages that it is bundled from. */
const bundled = `^#(${allFolders.join("|")})/`

export default {
  forbidden: [
    {
      name: "no-circle",
      comment:
        "A module below internal/ takes the types that its public module declares: a circle of types alone is none.",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } }
    },
    { name: "resolvable", severity: "error", from: {}, to: { couldNotResolve: true, pathNot: bundled } },
    {
      name: "declared-dependency",
      comment:
        "What a package's source imports is a dependency or peer of that package, but for what catalog-client is bundled from.",
      severity: "error",
      from: { pathNot: "^packages/promise/" },
      to: {
        dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"],
        dependencyTypesNot: ["npm", "npm-peer", "type-only"]
      }
    },
    {
      name: "by-name",
      comment:
        "What crosses between packages goes by their names, through exports maps. #transport of node leads to its own dist, and catalog-client has counterparts.",
      severity: "error",
      from: { path: "^packages/([^/]+)/" },
      to: { path: "^packages/", pathNot: ["^packages/$1/(src|counterparts)/", "/dist/"] }
    },
    {
      name: "promise-on-few-packages",
      comment: "catalog-client is bundled from the packages, Effect and undici: it has no dependency.",
      severity: "error",
      from: { path: "^packages/promise/src/" },
      to: {
        pathNot: [
          "^packages/promise/(src|counterparts)/",
          bundled,
          "node_modules/(effect|undici)/",
          "^(node:)?[a-z_/]+$"
        ]
      }
    },
    {
      name: "core-by-relative-path",
      comment: "Core imports itself by relative paths, never by its own name.",
      severity: "error",
      from: { path: core },
      to: { path: "^packages/core/dist/" }
    },
    ...ordered.slice(1).map(([name, modules], index) => ({
      name: `not-up-from-${name}`,
      severity: "error",
      from: { path: modules },
      to: { path: ordered.slice(0, index + 1).flatMap(([, above]) => above) }
    })),
    {
      name: "internal-to-public",
      comment:
        "A module below internal/ imports types of public modules, and as values only the classes that programs catch, and guards.",
      severity: "error",
      from: { path: `${core}internal/` },
      to: {
        path: core,
        pathNot: [`${core}internal/`, ...layers.platform, ...publicClasses],
        dependencyTypesNot: ["type-only"]
      }
    },
    {
      name: "placed",
      comment: "Every module of core has a place in one of the layers of .dependency-cruiser.mjs.",
      severity: "error",
      from: {},
      to: { path: core, pathNot: ordered.flatMap(([, modules]) => modules) }
    },
    {
      name: "not-to-resilience",
      comment: "Policies are values that a program passes in, so code without one does not bundle them.",
      severity: "error",
      from: { path: core, pathNot: [...layers.resilience, ...inCore("index")] },
      to: { path: layers.resilience }
    },
    {
      name: "service-without-client",
      comment:
        "The embedded service knows nothing of the client but its checks of options, so that a mistake on one side shows on the other. Only what hands it to users makes a client over it.",
      severity: "error",
      from: { path: testing, pathNot: [`${testing}(EmbeddedCatalog|TestError)[.]ts$`, `${testing}node/`] },
      to: { path: "^packages/core/dist/", pathNot: "^packages/core/dist/internal/index[.]" }
    },
    {
      name: "embedded-without-recorder",
      comment: "The embedded service reads recordings, and needs no recorder.",
      severity: "error",
      from: { path: testing, pathNot: [...recorder, `${testing}index[.]ts$`] },
      to: { path: recorder }
    },
    {
      name: "recorder-without-embedded",
      comment: "What a recording is, and the recorder, need no service.",
      severity: "error",
      from: { path: `${testing}internal/record(er|ing)/` },
      to: { path: `${testing}internal/service/` }
    },
    {
      name: "platform-in-few-modules",
      severity: "error",
      from: { path: [core, testing], pathNot: [...platformUsers, platformUsersOfTesting] },
      to: { path: "node_modules/@effect/platform/" }
    }
  ],
  options: {
    doNotFollow: { path: ["node_modules", "/dist/"] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.base.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "types", "default"] }
  }
}
