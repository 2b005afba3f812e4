/**
 * `#transport` of node, which has no module of this name: the platform's transport, where options have none. Here they always have one.
 */
export const layer = undefined
