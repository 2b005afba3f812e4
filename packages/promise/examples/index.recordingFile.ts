import { createCatalog } from "catalog-client"
import { createRecorder, recordingFile } from "catalog-client/testing"

export const titleOf = async (id: number) => {
  await using recorder = await createRecorder({ store: recordingFile("test/recordings/title.json"), mode: "auto" })
  await using catalog = createCatalog({ fetch: recorder.fetch, clientId: process.env["CATALOG_CLIENT_ID"] })
  return (await catalog.anime.get({ id })).title
}
