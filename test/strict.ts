/**
 * Calls from a page that minds certificates; the page in which the tests run is told to mind none.
 */
import { build } from "esbuild"
import type { BrowserCommand } from "vitest/node"
import { root } from "./readme.js"

const source = `
  import * as CatalogBrowser from "@catalog-client/browser"
  import { Catalog, CatalogConfig, Credentials } from "@catalog-client/core"
  import { FetchHttpClient } from "@effect/platform"
  import { Effect, Either } from "effect"

  const transports = {
    "CatalogBrowser.layer": CatalogBrowser.layer,
    "FetchHttpClient.layer in Chromium": FetchHttpClient.layer
  }

  const call = (transport) => async (baseUrl) => {
    const layers = [transports[transport], Credentials.layer({ accessToken: "t" }), CatalogConfig.layer({ baseUrl })]
    const outcome = await Effect.runPromise(Effect.provide(Effect.either(Catalog.anime.get({ id: 1 })), layers))
    return Either.match(outcome, {
      onRight: (value) => ({ ok: true, value }),
      onLeft: (error) => ({ ok: false, error: JSON.parse(JSON.stringify(error)) })
    })
  }

  export const calls = (transport, baseUrls) => Promise.all(baseUrls.map(call(transport)))`

type Came = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: unknown }

const bundle = async (): Promise<string> => {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: root },
    bundle: true,
    write: false,
    format: "iife",
    globalName: "strict"
  })
  return outputFiles.map(({ text }) => text).join("")
}

/** Asks for item 1 over a transport, at each base URL; an error comes as its encoded form. */
export const callStrictly: BrowserCommand<[transport: string, baseUrls: ReadonlyArray<string>]> = async (
  { context, page: tests },
  transport,
  baseUrls
): Promise<ReadonlyArray<Came>> => {
  const strict = await context.browser()?.newContext()
  if (strict === undefined) {
    throw new Error("there is no browser")
  }
  try {
    const page = await strict.newPage()
    // Any page of the tests' server: a blank one has no origin, and an invented one may not ask this machine.
    await page.goto(new URL("/package.json", tests.url()).href)
    await page.addScriptTag({ content: await bundle() })
    return await page.evaluate<ReadonlyArray<Came>>(
      `strict.calls(${JSON.stringify(transport)}, ${JSON.stringify(baseUrls)})`
    )
  } finally {
    await strict.close()
  }
}
