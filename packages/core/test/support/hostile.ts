/** Texts that try to break out of their part of a URL or a form. */
import { FastCheck as fc } from "effect"

export const hostile = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: fc.constantFrom("..", "%2f", "%2e", "\r\n", "\ud800", ...Array.from("/.?#&=+%\\\0\n\té ,;{}@:")) })
)

/** What becomes of a text on its way: half of a surrogate pair cannot travel. */
export const wellFormed = (text: string) => text.replace(/\p{Surrogate}/gu, "\uFFFD")
