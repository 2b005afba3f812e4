// The bodies of the server: the embedded service's replies, with additional members that the models do not know.
import { serveLongList } from "../longList.mjs"
import { fields, id } from "./selection.mjs"

/** @param {string} url */
const read = async (url) => (await fetch(url, { headers: { authorization: "Bearer embedded-token" } })).json()

/**
 * JSON as the service writes it: everything beyond ASCII is escaped.
 *
 * @param {unknown} value
 */
const textOf = (value) =>
  JSON.stringify(value).replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)

/** One anime of about 1.8 kB, and a page of 1 000 entries of a list, as texts. */
export const bodies = async () => {
  const { service } = await serveLongList(1000)
  const anime = await read(`${service.url}/anime/${id}?fields=${fields.join(",")}`)
  const page = await read(
    `${service.url}/users/@me/animelist?limit=1000&nsfw=true&fields=list_status,genres,mean,num_episodes,start_season,studios`
  )
  await service.close()
  /** @type {ReadonlyArray<{ readonly node: object, readonly list_status: object }>} */
  const entries = page.data
  return {
    anime: textOf({ ...anime, approximate_age: { low: 13, high: 17 } }),
    page: textOf({
      ...page,
      data: entries.map(({ node, list_status }, index) => ({
        node: { ...node, blurhash: "LEHV6nWB2yk8", streams: [{ site: "example", since: 2015 + (index % 9) }] },
        list_status: { ...list_status, mood: "calm" }
      }))
    })
  }
}
