/** How a message names a value that is neither a text nor a number. */
export const kindOf = (value: unknown): string => `a value of type ${typeof value}`
