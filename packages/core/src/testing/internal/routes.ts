/** Finds the operation of a request in the declaration: faults, wrong methods and unknown paths come before the router. */
import * as HttpApi from "@effect/platform/HttpApi"
import { CatalogApi } from "../Api.js"
import type { Operation } from "../Options.js"

interface Route {
  readonly operation: Operation
  readonly method: string
  readonly segments: ReadonlyArray<string>
}

const isParameter = (segment: string): boolean => segment.startsWith(":")

const readRoutes = (): ReadonlyArray<Route> => {
  const routes: Array<Route> = []
  HttpApi.reflect(CatalogApi, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint, group }) => {
      // The type is made of the same names.
      const operation = `${group.identifier}.${endpoint.name}` as Operation
      routes.push({ operation, method: endpoint.method, segments: endpoint.path.split("/") })
    }
  })
  const parameters = ({ segments }: Route) => segments.filter(isParameter).length
  return routes.sort((a, b) => parameters(a) - parameters(b))
}

let known: ReadonlyArray<Route> | undefined

/** Whether there is an operation of that name. */
export const isOperation = (name: string): boolean => (known ??= readRoutes()).some((route) => route.operation === name)

/** A malformed path matches no route. */
const segmentsOf = (path: string): ReadonlyArray<string> => {
  try {
    return path.split("/").map(decodeURIComponent)
  } catch {
    return []
  }
}

/** The operations under a path, by method. Literal segments go before parameters; a PUT is a PATCH. */
export const operationsAt = (path: string): ReadonlyMap<string, Operation> => {
  known ??= readRoutes()
  const segments = segmentsOf(path)
  const fits = (route: Route) =>
    route.segments.length === segments.length &&
    route.segments.every((word, index) => (isParameter(word) ? segments[index] !== "" : word === segments[index]))
  const found = new Map<string, Operation>()
  for (const route of known) {
    if (found.has(route.method) || !fits(route)) {
      continue
    }
    found.set(route.method, route.operation)
    if (route.method === "PATCH") {
      found.set("PUT", route.operation)
    }
  }
  return found
}
