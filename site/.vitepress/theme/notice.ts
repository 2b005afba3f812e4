// What a screen reader is told of a copy.
import { ref } from "vue"

export const notice = ref("")

/** Announces a text, and forgets it: the same one can be announced again. */
export const announce = (text: string): void => {
  notice.value = text
  setTimeout(() => (notice.value = ""), 2000)
}
