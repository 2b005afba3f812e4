/**
 * The commands of the program: from arguments and environment variables to lines and an exit code.
 */
import {
  createCatalog,
  isCancelled,
  isClientError,
  isInputTypeError,
  isNotFound,
  isUnauthorized,
  type Catalog,
  Resilience
} from "catalog-client"

const usage = `Usage:
  search <words>           anime by their titles
  show <id>                one anime
  top [<how many>]         the best, 10 unless said otherwise
  list [<status>]          your list, or a part of it: watching, completed, …
  watched <id> <episodes>  how far you are

CATALOG_CLIENT_ID or CATALOG_ACCESS_TOKEN say who asks. list and watched need the token.
CATALOG_BASE_URL is the base URL of another service.`

/** A mistake of the user, who is shown the usage. */
class UsageError extends Error {}

const scored = ({ id, mean, title }: { readonly id: number; readonly title: string; readonly mean?: number }) =>
  `${String(id).padStart(6)}  ${mean?.toFixed(2) ?? " –  "}  ${title}`

type Command = (catalog: Catalog, ...args: ReadonlyArray<string>) => AsyncIterable<string>

const commands: Readonly<Record<string, Command>> = {
  async *search(catalog, ...words) {
    const page = await catalog.anime.search({ q: words.join(" "), limit: 10 }, { fields: ["mean"] })
    for (const { node } of page.data) {
      yield scored(node)
    }
  },

  async *show(catalog, id) {
    const fields = ["mean", "num_episodes", "genres{name}", "synopsis"] as const
    const anime = await catalog.anime.get({ id: Number(id) }, { fields })
    yield scored(anime)
    yield `${anime.num_episodes} episodes; ${anime.genres?.map(({ name }) => name).join(", ")}`
    yield anime.synopsis ?? ""
  },

  async *top(catalog, count = "10") {
    const options = { max: Number(count), fields: ["mean"] } as const
    const entries = await catalog.anime.ranking.collect({ rankingType: "all" }, options)
    for (const { node } of entries) {
      yield scored(node)
    }
  },

  async *list(catalog, status) {
    const fields = ["list_status", "num_episodes"] as const
    // Page by page, for lists of any length, and with the works that the service hides by default.
    const entries = catalog.user.animeList.items({ username: "@me", status }, { fields, nsfw: true })
    for await (const { list_status, node } of entries) {
      const of = node.num_episodes === 0 ? "?" : node.num_episodes
      yield `${String(node.id).padStart(6)}  ${list_status?.num_episodes_watched} of ${of}  ${node.title}`
    }
  },

  async *watched(catalog, id, episodes) {
    const status = await catalog.anime.updateMyListStatus({
      id: Number(id),
      num_watched_episodes: Number(episodes)
    })
    yield `${status.num_episodes_watched} watched, ${status.status}`
  }
}

/** The client says which argument is not a number. */
const isUsersMistake = (error: unknown) => error instanceof UsageError || isInputTypeError(error)

const explain = (error: unknown): string => {
  if (isUsersMistake(error)) {
    return `${error.message}\n\n${usage}`
  }
  if (isNotFound(error)) {
    return "There is no such anime."
  }
  if (isUnauthorized(error)) {
    return "The access token is not accepted. Get a new one."
  }
  if (isClientError(error)) {
    return error.message
  }
  throw error
}

/** Runs a command, and returns the exit code. */
export const run = async (
  [name = "", ...args]: ReadonlyArray<string>,
  env: Readonly<Record<string, string | undefined>>,
  output: { readonly print: (line: string) => void; readonly warn: (line: string) => void },
  signal?: AbortSignal
): Promise<number> => {
  const catalog = createCatalog({
    baseUrl: env["CATALOG_BASE_URL"],
    clientId: env["CATALOG_CLIENT_ID"],
    accessToken: env["CATALOG_ACCESS_TOKEN"],
    policies: [Resilience.retry()],
    signal
  })
  try {
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined
    if (command === undefined) {
      throw new UsageError(`There is no command "${name}".`)
    }
    for await (const line of command(catalog, ...args)) {
      output.print(line)
    }
    return 0
  } catch (error) {
    if (isCancelled(error)) {
      return 130
    }
    output.warn(explain(error))
    return isUsersMistake(error) ? 2 : 1
  } finally {
    await catalog.close()
  }
}
