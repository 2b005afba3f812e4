/**
 * Makes a catalog over the transport of a platform.
 */
import { Catalog, type CatalogOperations } from "#core/Catalog.js"
import type { FieldsDefault, PromiseFace } from "#core/Face.js"
import { checkNames } from "#core/internal/common/options.js"
import { optionNames, PromiseCatalogLive } from "#core/internal/promise/catalog.js"
import type { CatalogOptions, PromiseCatalog } from "#core/PromiseCatalog.js"
import { optionsOver, type Platform, type TransportOptions } from "./platform.js"

/** An operation of the client, for example `get` of `catalog-client/anime`. `createCatalogOf` makes catalogs of it. */
export interface CatalogOperation<Name extends string> {
  readonly name: string
  readonly [named]?: Name
}
declare const named: unique symbol

type Operations = CatalogOperations<PromiseFace>

/** What `createCatalogOf` takes: operations by their own names. */
export type PickedOperations = {
  readonly [Domain in keyof Operations]?: {
    readonly [Name in keyof Operations[Domain]]?: CatalogOperation<`${Domain}.${Name & string}`>
  }
}

/** A catalog with some of the operations. */
export type CatalogOf<Picked, D extends FieldsDefault | undefined = never> = Omit<
  PromiseCatalog<D>,
  keyof Operations | "withOptions"
> & {
  readonly [Domain in keyof Operations & keyof Picked]: Pick<
    CatalogOperations<PromiseFace, D>[Domain],
    keyof CatalogOperations<PromiseFace, D>[Domain] & keyof Picked[Domain]
  >
} & {
  /** A view of this catalog with other options, as of {@link PromiseCatalog.withOptions}. */
  withOptions<const D2 extends FieldsDefault | undefined = D>(options: CatalogOptions<D2>): CatalogOf<Picked, D2>
}

/** Makes a catalog of some operations. */
export type CreateCatalogOf = <
  const Picked extends PickedOperations,
  const D extends FieldsDefault | undefined = never
>(
  operations: Picked,
  options?: CatalogOptions<D> & TransportOptions
) => CatalogOf<Picked, D>

const catalogOver = <D extends FieldsDefault | undefined>(
  platform: Platform,
  options: CatalogOptions<D> & TransportOptions,
  where: string,
  operations: object
): PromiseCatalogLive<D> => {
  const over = optionsOver(platform, options, where)
  checkNames(where, options, { ...optionNames, fetch: 1, dispatcher: 1, tracer: 1, meter: 1 })
  return new PromiseCatalogLive<D>(over, operations)
}

/** `createCatalog` of a platform. */
export const createCatalogOver =
  (platform: Platform) =>
  <const D extends FieldsDefault | undefined = never>(
    options: CatalogOptions<D> & TransportOptions = {}
  ): PromiseCatalog<D> =>
    catalogOver(platform, options, "createCatalog", Catalog)

/** `createCatalogOf` of a platform. */
export const createCatalogOfOver =
  (platform: Platform): CreateCatalogOf =>
  (operations, options = {}) => {
    const where = "createCatalogOf"
    for (const [domain, picked] of Object.entries(operations)) {
      for (const [name, operation] of Object.entries(picked)) {
        if (operation?.name !== `catalog.${domain}.${name}`) {
          throw new TypeError(`${where}: ${domain}.${name} must be the ${name} of "catalog-client/${domain}"`)
        }
      }
    }
    return catalogOver(platform, options, where, operations)
  }
