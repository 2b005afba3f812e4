/**
 * The symbol that `await using` looks for.
 */
/// <reference lib="esnext.disposable" preserve="true" />

/** If the engine has none, this is the one that bundlers such as esbuild use for `await using`. */
export const asyncDispose: typeof Symbol.asyncDispose = Symbol.asyncDispose ?? Symbol.for("Symbol.asyncDispose")
