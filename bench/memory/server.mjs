// The embedded service with one long list, in its own process, so that its memory does not count.
import { serveLongList } from "../longList.mjs"

const { owner, service } = await serveLongList(Number(process.argv[2]))
process.send?.({ url: service.url, owner })
