/**
 * Makes a catalog over the transport of a platform.
 */
import { PromiseCatalogLive } from "#core/internal/promise/catalog.js"
import type { FieldsDefault } from "#core/Face.js"
import type { CatalogOptions, PromiseCatalog } from "#core/PromiseCatalog.js"
import { optionsOver, type Platform, type TelemetryOptions, type TransportOptions } from "./platform.js"

/** What `createCatalog` takes. */
export interface CreateCatalogOptions<D extends FieldsDefault | undefined = FieldsDefault | undefined>
  extends CatalogOptions<D>, TransportOptions, TelemetryOptions {}

type BaseUrl = CatalogOptions["baseUrl"]

/**
 * A page that is rendered on a server creates its catalog there and calls it later, in the browser: a path is resolved only
 * then.
 */
const late = (baseUrl: BaseUrl): BaseUrl =>
  typeof baseUrl === "string" && /^\/(?![/\\])/.test(baseUrl) && globalThis.location === undefined
    ? () => baseUrl
    : baseUrl

/** `createCatalog` of a platform. */
export const createCatalogOver =
  (platform: Platform) =>
  <const D extends FieldsDefault | undefined = never>(options: CreateCatalogOptions<D> = {}): PromiseCatalog<D> =>
    new PromiseCatalogLive<D>({
      ...optionsOver(platform, options, "createCatalog"),
      ...(options.baseUrl !== undefined && { baseUrl: late(options.baseUrl) })
    })
