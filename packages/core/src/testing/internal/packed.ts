/** Bodies that are compressed by themselves: unpacked, so that they can be searched, and packed again. */
import { bodyOf } from "./recording.js"

/** How a body is compressed, from the outside in. */
export type Packing = ReadonlyArray<CompressionFormat>

/** In bytes, and in compressions within each other: a body that unpacks to more cannot be searched. */
const mostBytes = 64 * 1024 * 1024
const mostLevels = 4

const formatOf = (bytes: Uint8Array): CompressionFormat | undefined => {
  const [first = 0, second = 0] = bytes
  if (first === 0x1f && second === 0x8b) {
    return "gzip"
  }
  // The header of zlib, unless it is text that begins in the same way.
  const isZlib = first === 0x78 && (first * 256 + second) % 31 === 0
  return isZlib && bodyOf(bytes, undefined).base64 !== undefined ? "deflate" : undefined
}

const through = async (
  bytes: Uint8Array,
  stream: CompressionStream | DecompressionStream,
  most: number
): Promise<Uint8Array<ArrayBuffer>> => {
  const reader = new Blob([new Uint8Array(bytes)]).stream().pipeThrough(stream).getReader()
  const chunks: Array<Uint8Array<ArrayBuffer>> = []
  let length = 0
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    length += next.value.length
    if (length > most) {
      await reader.cancel()
      throw new Error("it is more than 64 MiB")
    }
    chunks.push(next.value)
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer())
}

export interface Unpacked {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly packing: Packing
}

/** Whether a body is compressed by itself. */
export const isPacked = (bytes: Uint8Array): boolean => formatOf(bytes) !== undefined

/** A body, and what it was compressed with. Rejects if it cannot be unpacked. */
export const unpack = async (bytes: Uint8Array<ArrayBuffer>, packing: Packing = []): Promise<Unpacked> => {
  const format = formatOf(bytes)
  if (format === undefined) {
    return { bytes, packing }
  }
  if (packing.length === mostLevels) {
    throw new Error(`it is compressed more than ${mostLevels} times`)
  }
  return unpack(await through(bytes, new DecompressionStream(format), mostBytes), [...packing, format])
}

/** Compresses bytes as a body was. */
export const pack = (bytes: Uint8Array, packing: Packing): Promise<Uint8Array> =>
  packing.reduceRight<Promise<Uint8Array>>(
    async (inner, format) => through(await inner, new CompressionStream(format), Infinity),
    Promise.resolve(bytes)
  )
