/**
 * The symbol of what `await using` disposes of.
 */
/// <reference lib="esnext.disposable" preserve="true" />

/** Where an engine has none, what bundlers such as esbuild make of `await using` looks for this one. */
export const asyncDispose: typeof Symbol.asyncDispose = Symbol.asyncDispose ?? Symbol.for("Symbol.asyncDispose")
