/**
 * Nothing here is found by its hash, so all values have the same one.
 */
export const symbol = "~effect/Hash"

export const hash = (): number => 0

export { hash as array, hash as number, hash as random, hash as string, hash as structure, hash as structureKeys }

export const combine = () => hash
