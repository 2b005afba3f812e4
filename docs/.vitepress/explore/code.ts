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

const policiesOf = ({ policies = [] }: CallToPrint, indent: string): ReadonlyArray<string> =>
  policies.map(([name, options]) => `Resilience.${name}(${options === undefined ? "" : source(options, indent)})`)

/** The program with promises. */
export const promiseOf = (call: CallToPrint): string => {
  const policies = policiesOf(call, "    ")
  const isPlain = policies.length === 0
  const token = 'accessToken: "my-access-token"'
  const options = isPlain ? `{ ${token} }` : `{\n  ${token},\n  policies: ${listed("[", policies, "]", "  ", "")}\n}`
  return `${isPlain ? "" : 'import { Resilience } from "@catalog-client/core"\n'}import { createCatalog } from "@catalog-client/node"

const catalog = createCatalog(${options})

export const call = () => catalog${invocation(call)}`
}

/** The program with Effect. */
export const effectOf = (call: CallToPrint): string => {
  const policies = policiesOf(call, "    ")
  if (policies.length === 0) {
    return `import { Catalog } from "@catalog-client/core"

export const call = Catalog${invocation(call)}`
  }
  return `import { Catalog, CatalogPolicy, Resilience } from "@catalog-client/core"
import { Effect } from "effect"

export const call = Catalog${invocation(call)}.pipe(
  Effect.provide(CatalogPolicy.layer${listed("(", policies, ")", "  ", "")})
)`
}

/** A text in the single quotes of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** The header that curl sends, from a variable of the shell. */
export const curlCredentials = {
  accessToken: '-H "Authorization: Bearer $CATALOG_ACCESS_TOKEN"',
  clientId: '-H "X-MAL-CLIENT-ID: $CATALOG_CLIENT_ID"'
}

/** The same request without a client. */
export const curlOf = (
  { form, method, url }: RequestToPrint,
  credential: keyof typeof curlCredentials = "accessToken"
): string =>
  [
    method === "GET" ? "curl" : `curl -X ${method}`,
    curlCredentials[credential],
    ...[...new URLSearchParams(form)].map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`),
    quoted(url)
  ].join(" \\\n  ")
