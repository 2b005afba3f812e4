/**
 * The platform's transport, where options have none: here they always have one.
 */
export const layer = undefined
