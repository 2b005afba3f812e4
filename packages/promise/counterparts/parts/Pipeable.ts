/**
 * `pipe` as a method, in short.
 */
export const pipeArguments = (self: unknown, args: ArrayLike<(value: unknown) => unknown>): unknown =>
  Array.from(args).reduce((value, next) => next(value), self)
