import { createRecorder, RecordingError } from "catalog-client/testing"

const recorder = await createRecorder({ store: { name: "empty", read: () => undefined } }).catch(
  (error: unknown) => error
)
console.log(recorder instanceof RecordingError && recorder.reason) // NoRecording
