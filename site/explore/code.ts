// Programs that make a call: with promises, with Effect, with curl. The operations' pages print their examples with it too.

/** A call as a program writes it. */
export interface CallToPrint {
  /** For example `anime.get`, or `user.animeList.collect`. */
  readonly operation: string
  readonly inputs: ReadonlyArray<unknown>
  /** The options of each policy, by its name in `Resilience`. */
  readonly policies?: ReadonlyArray<readonly [name: string, options?: object | undefined]>
}

/** A request as it was sent. */
export interface RequestToPrint {
  readonly method: string
  readonly url: string
  readonly form?: string | undefined
}

/** Credentials of programs, from the environment: the name of a Layer, the option of a catalog, and the header that curl sends. */
export const credentials = {
  accessToken: {
    layer: "Token",
    source: "accessToken: process.env.CATALOG_ACCESS_TOKEN",
    header: '-H "Authorization: Bearer $CATALOG_ACCESS_TOKEN"'
  },
  clientId: {
    layer: "Key",
    source: "clientId: process.env.CATALOG_CLIENT_ID",
    header: '-H "X-MAL-CLIENT-ID: $CATALOG_CLIENT_ID"'
  }
}

/** What is shown instead of a credential, by the name of its header in lower case. */
const redactedHeaders: Readonly<Record<string, string>> = {
  authorization: "Bearer <redacted>",
  "x-mal-client-id": "<redacted>"
}

/** The headers of a request as they are shown. */
export const withoutCredentials = (headers: Headers): Readonly<Record<string, string>> =>
  Object.fromEntries([...headers].map(([name, value]) => [name, redactedHeaders[name] ?? value]))

/** The letters of a line that holds a whole value. */
const width = 80

/** A list of parts, in one line or a line for each. */
const listed = (open: string, parts: ReadonlyArray<string>, close: string, indent: string, blank: string): string => {
  const line = `${open}${blank}${parts.join(", ")}${blank}${close}`
  if (parts.length === 0) {
    return open + close
  }
  if (indent.length + line.length <= width && !line.includes("\n")) {
    return line
  }
  return `${open}\n${parts.map((part) => `${indent}  ${part}`).join(",\n")}\n${indent}${close}`
}

/** A value as it is written in a program. */
export const source = (value: unknown, indent = ""): string => {
  const inner = `${indent}  `
  if (Array.isArray(value)) {
    const parts = value.map((element) => source(element, inner))
    return listed("[", parts, "]", indent, "")
  }
  if (typeof value !== "object" || value === null) {
    return JSON.stringify(value)
  }
  const parts = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => `${/^\w+$/.test(name) ? name : JSON.stringify(name)}: ${source(member, inner)}`)
  return listed("{", parts, "}", indent, " ")
}

/** A call without the catalog: `.anime.get({ id: 1 })`. */
export const invocation = ({ inputs, operation }: CallToPrint): string => {
  const name = `.${operation}`
  const [only, ...more] = inputs
  const line = `${name}(${inputs.map((input) => source(input).replaceAll(/\s*\n\s*/g, " ")).join(", ")})`
  if (line.length <= width || only === undefined) {
    return line
  }
  if (more.length === 0) {
    return `${name}(${source(only)})`
  }
  return `${name}(\n${inputs.map((input) => `  ${source(input, "  ")}`).join(",\n")}\n)`
}

/** The credential that a call needs. One that names `my_list_status` gets it only with a token. */
export const credentialOf = ({
  inputs,
  operation
}: Pick<CallToPrint, "inputs" | "operation">): keyof typeof credentials =>
  /^user\.(me|get)$|\.(suggestions|updateMyListStatus|deleteFromList)\b/.test(operation) ||
  /"(@me"|my_list_status\b)/.test(JSON.stringify(inputs))
    ? "accessToken"
    : "clientId"

/** `writes` is only shown where it matters. A comment says why an option is there that no reader has chosen. */
const policiesOf = ({ operation, policies = [] }: CallToPrint, indent: string): ReadonlyArray<string> =>
  policies.map(([name, options = {}]) => {
    const { writes, ...others } = options as { readonly writes?: boolean }
    const isWrite = writes === true && operation.endsWith(".updateMyListStatus")
    const shown = isWrite ? options : others
    return [
      ...("timeouts" in shown ? ["// timeouts: a response that comes too late is retried, too."] : []),
      ...(isWrite ? ["// writes: sending the same change twice does no harm."] : []),
      `Resilience.${name}(${Object.keys(shown).length === 0 ? "" : source(shown, indent)})`
    ].join(`\n${indent}`)
  })

/** What programs do with the result of a call: the beginning of its statement, and what they print. */
const usingReply = ({ operation }: CallToPrint) =>
  operation.endsWith(".deleteFromList")
    ? { assignment: "", printed: '"Done."' }
    : { assignment: "const reply = ", printed: "JSON.stringify(reply, null, 2)" }

/** A program with a catalog for a call, with promises. */
export const promiseProgram = (call: CallToPrint, statements: string): string => {
  const policies = policiesOf(call, "    ")
  const credential = credentials[credentialOf(call)].source
  const isPlain = policies.length === 0
  const options = isPlain
    ? `{ ${credential} }`
    : `{\n  ${credential},\n  policies: ${listed("[", policies, "]", "  ", "")}\n}`
  return `import { createCatalog${isPlain ? "" : ", Resilience"} } from "catalog-client"

const catalog = createCatalog(${options})

${statements}`
}

/** The same with Effect. Its statements can use more modules of Effect. */
export const effectProgram = (
  call: CallToPrint,
  statements: string,
  modules: ReadonlyArray<string> = ["Console", "Effect"]
): string => {
  const policies = policiesOf(call, "  ")
  const isPlain = policies.length === 0
  const credential = credentials[credentialOf(call)]
  const layers = ["CatalogNode.layer", credential.layer]
  const lines = [`const ${credential.layer} = Credentials.layer({ ${credential.source} })`]
  if (!isPlain) {
    layers.push("Policies")
    lines.push(`const Policies = CatalogPolicy.layer${listed("(", policies, ")", "", "")}`)
  }
  return `import { Catalog, ${isPlain ? "Credentials" : "CatalogPolicy, Credentials, Resilience"} } from "@catalog-client/core"
import * as CatalogNode from "@catalog-client/node"
import { ${modules.join(", ")} } from "effect"

const program = Effect.gen(function* () {
  ${statements.replaceAll("\n", "\n  ")}
})

${lines.join("\n")}
await program.pipe(Effect.provide([${layers.join(", ")}]), Effect.runPromise)`
}

/** A program that prints the reply of a call, with promises. */
export const promiseOf = (call: CallToPrint): string => {
  const { assignment, printed } = usingReply(call)
  return promiseProgram(call, `${assignment}await catalog${invocation(call)}\nconsole.log(${printed})`)
}

/** The same with Effect. */
export const effectOf = (call: CallToPrint): string => {
  const { assignment, printed } = usingReply(call)
  return effectProgram(call, `${assignment}yield* Catalog${invocation(call)}\nyield* Console.log(${printed})`)
}

/** A client as it was registered. */
const client = `clientId: "my-client-id",
  redirectUri: "http://localhost:8080/callback"`

/** A program that signs a user in, with promises. */
export const signInPromise = `import { createCatalog } from "catalog-client"
import { createSession } from "catalog-client/oauth"

const session = createSession({
  ${client}
})
const catalog = createCatalog({ session })

// Opens the consent page in the browser, and exchanges the code that comes back.
await session.login()
const { name } = await catalog.user.me()
console.log(\`Signed in as \${name}\`)`

/** The same with Effect. */
export const signInEffect = `import { Catalog } from "@catalog-client/core"
import * as CatalogNode from "@catalog-client/node"
import { Login, OAuthSession, TokenStore } from "@catalog-client/oauth/node"
import { Console, Effect, Layer } from "effect"

const session = OAuthSession.layer({
  ${client}
})

const program = Effect.gen(function* () {
  // Opens the consent page in the browser, and exchanges the code that comes back.
  yield* Login.loopback()
  const { name } = yield* Catalog.user.me()
  yield* Console.log(\`Signed in as \${name}\`)
})

await program.pipe(
  Effect.provide(Layer.provideMerge(Layer.provide(session, TokenStore.layerMemory), CatalogNode.layer)),
  Effect.runPromise
)`

/** A text in the single quotes of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** A call without the client, as the request that it sends. */
export const curlOf = ({ form, method, url }: RequestToPrint, credential?: keyof typeof credentials): string =>
  [
    method === "GET" ? "curl" : `curl -X ${method}`,
    ...(credential === undefined ? [] : [credentials[credential].header]),
    ...[...new URLSearchParams(form)].map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`),
    quoted(url)
  ].join(" \\\n  ")
