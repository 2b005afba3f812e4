import { type Entry, fromXml, plan } from "catalog-client/sync"

export const imported = (xml: string, current: ReadonlyMap<number, Entry>) => plan({ ...fromXml(xml), current })
