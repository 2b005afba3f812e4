/**
 * Makes a catalog over the transport of a platform.
 */
import { Catalog } from "#core/Catalog.js"
import type { FieldsDefault } from "#core/Face.js"
import type { CatalogFor, CatalogOperations, CatalogOperationsWith } from "./Catalog.js"
import { type CatalogOptions, optionNames } from "./CatalogOptions.js"
import { makeCatalog, rootView } from "./internal/catalog.js"
import { checkOptions, type Platform, transportNames, type TransportOptions, transportOf } from "./platform.js"

/** An operation of the client, for example `get` of `catalog-client/anime`. `createCatalogOf` makes catalogs of it. */
export interface CatalogOperation<Name extends string> {
  readonly name: string
  readonly [named]?: Name
}
declare const named: unique symbol

/** What `createCatalogOf` takes: operations by their own names. */
export type PickedOperations = {
  readonly [Domain in keyof CatalogOperations]?: {
    readonly [Name in keyof CatalogOperations[Domain]]?: CatalogOperation<`${Domain}.${Name & string}`>
  }
}

/**
 * A catalog with some of the operations.
 *
 * @example
 * ```ts
 * import { type CatalogOf, createCatalogOf } from "catalog-client"
 * import { get } from "catalog-client/anime"
 *
 * const operations = { anime: { get } }
 * const titleOf = async (catalog: CatalogOf<typeof operations>, id: number) => (await catalog.anime.get({ id })).title
 *
 * export const title = () => titleOf(createCatalogOf(operations, { baseUrl: "/catalog" }), 30230)
 * ```
 */
export type CatalogOf<Picked, D extends FieldsDefault | undefined = never> = Omit<
  CatalogFor<D>,
  keyof CatalogOperations | "withOptions"
> & {
  readonly [Domain in keyof CatalogOperations & keyof Picked]: Pick<
    CatalogOperationsWith<D>[Domain],
    keyof CatalogOperationsWith<D>[Domain] & keyof Picked[Domain]
  >
} & {
  /** A view of this catalog with other options, as of {@link Catalog.withOptions}. */
  withOptions<const D2 extends FieldsDefault | undefined = D>(options: CatalogOptions<D2>): CatalogOf<Picked, D2>
}

/**
 * The type of `createCatalogOf`.
 *
 * @example
 * ```ts
 * import type { CreateCatalogOf } from "catalog-client"
 * import { get } from "catalog-client/anime"
 *
 * export const catalogBy = (createCatalogOf: CreateCatalogOf) => createCatalogOf({ anime: { get } }, { baseUrl: "/catalog" })
 * ```
 */
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
  calledAs: string,
  operations: object
): CatalogFor<D> => {
  checkOptions(calledAs, options, { ...optionNames, ...transportNames })
  const view = rootView(options, calledAs, () => transportOf(platform, options, calledAs))
  return makeCatalog(operations, view)
}

/** `createCatalog` of a platform. */
export const createCatalogOver =
  (platform: Platform) =>
  <const D extends FieldsDefault | undefined = never>(
    options: CatalogOptions<D> & TransportOptions = {}
  ): CatalogFor<D> =>
    catalogOver(platform, options, "createCatalog", Catalog)

/** `createCatalogOf` of a platform. */
export const createCatalogOfOver =
  (platform: Platform): CreateCatalogOf =>
  (operations, options = {}) => {
    const calledAs = "createCatalogOf"
    for (const [domain, picked] of Object.entries(operations)) {
      for (const [name, operation] of Object.entries(picked)) {
        if (operation?.name !== `catalog.${domain}.${name}`) {
          throw new TypeError(`${calledAs}: ${domain}.${name} must be the ${name} of "catalog-client/${domain}"`)
        }
      }
    }
    // Of all operations, it has those that were picked.
    return catalogOver(platform, options, calledAs, operations) as never
  }
