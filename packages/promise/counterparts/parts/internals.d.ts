/** What replaced parts use of the module itself: Effect publishes no types of it. */
declare module "effect/internal/effect" {
  import type * as Effect from "effect/Effect"

  import type { Exit } from "effect/Exit"
  import type { AnyFiber } from "#core/internal/common/fiber.js"

  export const as: typeof Effect.as
  export const exit: typeof Effect.exit
  export const exitAsVoidAll: (exits: ReadonlyArray<Exit<unknown, unknown>>) => Exit<void, unknown>
  export const flatMap: typeof Effect.flatMap
  export const getCurrentFiber: () => AnyFiber | undefined
  export const logLevelToOrder: (level: string) => number
  export const provideService: typeof Effect.provideService
  export const suspend: typeof Effect.suspend
  export const whileLoop: typeof Effect.whileLoop
}
