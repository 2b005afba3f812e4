/**
 * The symbol that `await using` looks for.
 */
/// <reference lib="esnext.disposable" preserve="true" />

/** In an engine without `Symbol.asyncDispose`, the symbol that bundlers such as esbuild use for `await using`. */
export const asyncDispose: typeof Symbol.asyncDispose = Symbol.asyncDispose ?? Symbol.for("Symbol.asyncDispose")
