/**
 * `effect` for the tests that run against `catalog-client`: what it hides is hidden by the package.
 */
/* oxlint-disable no-restricted-imports -- the tests import what they need of it, as they do of Effect's own */
import { Redacted as OwnRedacted } from "catalog-client"
import { Redacted as EffectRedacted } from "effect"

export * from "effect"

export const Redacted = {
  ...EffectRedacted,
  make: OwnRedacted.make as unknown as typeof EffectRedacted.make,
  value: <A>(redacted: EffectRedacted.Redacted<A>): A =>
    EffectRedacted.isRedacted(redacted) ? EffectRedacted.value(redacted) : OwnRedacted.value(redacted)
}
