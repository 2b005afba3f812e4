/**
 * `effect` with the names of Effect 3 that tests use: those of the packages, and those that only tests need.
 */
import * as C from "effect/Config"
import * as CP from "effect/ConfigProvider"
import * as E from "effect/Effect"
import * as L from "effect/Layer"
import * as R from "effect/Random"
import * as Red from "effect/Redacted"
import * as Clock_ from "effect/testing/TestClock"
import * as S from "effect/Schema"
import type { Issue } from "effect/SchemaIssue"
import * as Transformation from "effect/SchemaTransformation"
import * as T from "effect/Tracer"
import * as CauseNames from "../../names/Cause.js"
import * as ConfigNames from "../../names/Config.js"
import * as EffectNames from "../../names/Effect.js"
import * as ExitNames from "../../names/Exit.js"
import * as LayerNames from "../../names/Layer.js"
import * as SchemaNames from "../../names/Schema.js"
import * as ScopeNames from "../../names/Scope.js"

export * from "effect"
export * as Clock from "../../names/Clock.js"
export * as Context from "../../names/Context.js"
export * as Duration from "../../names/Duration.js"
export * as Fiber from "../../names/Fiber.js"
export * as Option from "../../names/Option.js"
export * as Stream from "../../names/Stream.js"
export { identity } from "effect/Function"
export * as FastCheck from "fast-check"

export const Cause = { ...CauseNames, isDie: CauseNames.hasDies, parallel: CauseNames.combine }
export const Exit = { ...ExitNames, causeOption: ExitNames.getCause }
export const Config = { ...ConfigNames, integer: C.Int, url: C.URL }
export const ConfigError = { isConfigError: (error: unknown) => error instanceof C.ConfigError }
export const ConfigProvider = {
  ...CP,
  fromMap: (values: ReadonlyMap<string, string>) => CP.fromUnknown(Object.fromEntries(values))
}
export const Effect = {
  ...EffectNames,
  either: <A, X, Y>(effect: E.Effect<A, X, Y>) =>
    E.match(effect, { onFailure: (error) => Either.left(error), onSuccess: (value) => Either.right(value) }),
  flatten: (effect: E.Effect<E.Effect<unknown> | { readonly _tag: "Right"; readonly right: unknown }>) =>
    E.flatMap(effect, (inner) => (E.isEffect(inner) ? inner : E.succeed(inner.right))),
  withConfigProvider: (provider: CP.ConfigProvider) => E.provideService(CP.ConfigProvider, provider),
  withRandom: <A, X, Y>(effect: E.Effect<A, X, Y>, random: typeof R.Random.Service) =>
    E.provideService(effect, R.Random, random),
  withTracer: E.withTracer,
  tapErrorCause: E.tapCause,
  yieldNow: () => E.yieldNow,
  /** With the names of Effect 3. */
  clock: E.map(E.clockWith(E.succeed), (clock) =>
    Object.create(clock, { unsafeCurrentTimeMillis: { value: () => clock.currentTimeMillisUnsafe() } })
  ),
  replicateEffect: <A, X, Y>(effect: E.Effect<A, X, Y>, times: number) =>
    E.all(Array.from({ length: times }, () => effect)),
  zipLeft: <A, X, Y, B, Z, W>(effect: E.Effect<A, X, Y>, other: E.Effect<B, Z, W>) => E.tap(effect, () => other)
}
export const Layer = {
  ...LayerNames,
  die: (defect: unknown) => L.effectDiscard(E.die(defect)),
  setConfigProvider: (provider: CP.ConfigProvider) => L.succeed(CP.ConfigProvider, provider),
  setTracer: (tracer: T.Tracer) => L.succeed(T.Tracer, tracer)
}
/** Effect 3's result of an effect, which is an Effect itself: see `flatten`. */
export const Either = {
  isRight: (either: { readonly _tag: string }) => either._tag === "Right",
  right: <A>(right: A) => ({ _tag: "Right" as const, right }),
  left: <E>(left: E) => ({ _tag: "Left" as const, left }),
  match:
    (on: { readonly onLeft: (left: unknown) => unknown; readonly onRight: (right: unknown) => unknown }) =>
    (either: { readonly right?: unknown; readonly left?: unknown }) =>
      "left" in either ? on.onLeft(either.left) : on.onRight(either.right)
}
export const TestClock = {
  ...Clock_,
  currentTimeMillis: E.clockWith((clock) => clock.currentTimeMillis),
  /** It does not tell. */
  sleeps: () => E.succeed([])
}
export const TestContext = { TestContext: Clock_.layer() }
export const TestServices = { provideLive: Clock_.withLive }
export const Scope = { ...ScopeNames, CloseableScopeTypeId: "~effect/Scope/Closeable" }
export const Random = {
  ...R,
  make: (seed: string) =>
    E.runSync(
      R.withSeed(
        E.map(R.Random, (random) => random),
        seed
      )
    ),
  fixed: ([value = 0]: ReadonlyArray<number>) => ({ nextIntUnsafe: () => value, nextDoubleUnsafe: () => value })
}
export const Redacted = { ...Red, unsafeWipe: Red.wipeUnsafe }
export const Schema = {
  ...SchemaNames,
  Date: S.DateFromString,
  DateFromSelf: S.Date,
  BigDecimal: S.BigDecimalFromString,
  Literal: <const Words extends ReadonlyArray<string>>(...words: Words) => S.Literals(words),
  Record: ({ key, value }: { readonly key: S.String; readonly value: S.Top }) => S.Record(key, value),
  between: (minimum: number, maximum: number) => S.check<S.Number>(S.isBetween({ minimum, maximum })),
  int: () => S.check<S.Number>(S.isInt()),
  optionalWith: <Of extends S.Top>(...[schema]: readonly [schema: Of, option: { readonly as: "Option" }]) =>
    S.OptionFromOptional(schema),
  transform: <From extends S.Top, To extends S.Top>(
    from: From,
    to: To,
    {
      decode,
      encode
    }: { readonly decode: (from: From["Type"]) => To["Encoded"]; readonly encode: (to: To["Encoded"]) => From["Type"] }
  ) => from.pipe(S.decodeTo(to, Transformation.transform({ decode, encode }))),
  transformOrFail: <From extends S.Top, To extends S.Top, R>(
    from: From,
    to: To,
    { decode, encode }: Transform<From["Type"], To["Encoded"], R>
  ) => from.pipe(S.decodeTo(to, Transformation.transformEffect({ decode, encode })))
}

interface Transform<From, To, R> {
  readonly strict: true
  readonly decode: (from: From) => E.Effect<To, Issue, R>
  readonly encode: (to: To) => E.Effect<From, Issue, R>
}

export const Chunk = { toReadonlyArray: <A>(values: ReadonlyArray<A>) => values, unsafeFromArray: <A>(a: A) => a }

// Types of what has a value here.

export declare namespace Effect {
  type Effect<A, X = never, R = never> = E.Effect<A, X, R>
  namespace Effect {
    type Success<Of> = E.Success<Of>
    type Error<Of> = E.Error<Of>
  }
}
export declare namespace Layer {
  type Layer<A, X = never, R = never> = L.Layer<A, X, R>
}
export declare namespace Config {
  type Config<A> = C.Config<A>
  namespace Config {
    type Wrap<A> = C.Wrap<A>
  }
}
export declare namespace ConfigError {
  type ConfigError = C.ConfigError
}
export declare namespace Redacted {
  type Redacted<A = string> = Red.Redacted<A>
}
export declare namespace ParseResult {
  type ParseIssue = Issue
}
