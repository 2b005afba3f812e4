/** What replaced parts use of the module itself: Effect publishes no types of it. */
declare module "effect/internal/effect" {
  import type * as Effect from "effect/Effect"

  export const provideService: typeof Effect.provideService
}
