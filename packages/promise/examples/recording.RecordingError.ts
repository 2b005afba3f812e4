import { createRecorder, RecordingError } from "catalog-client/testing"

const recorder = await createRecorder({ store: { name: "empty", read: () => undefined } }).catch(
  (error: unknown) => error
)
if (recorder instanceof RecordingError) {
  console.log(recorder.reason)
}
