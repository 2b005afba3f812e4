/** Bytes as strings, and back. */

/** Bytes whose memory is not shared. `Uint8Array` takes no type parameter before TypeScript 5.7. */
export type Bytes = ReturnType<Uint8Array["slice"]>

export const encodeHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")

export const encodeBase64 = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))

export const encodeBase64Url = (bytes: Uint8Array): string =>
  encodeBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")

/** `undefined` if the string is not in base64. */
export const decodeBase64 = (text: string): Bytes | undefined => {
  if (text.length % 4 !== 0) {
    return undefined
  }
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
  } catch {
    return undefined
  }
}

export const randomBytes = (length: number): Bytes => crypto.getRandomValues(new Uint8Array(length))
