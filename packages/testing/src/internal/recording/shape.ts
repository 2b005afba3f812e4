/** Checks that JSON has the expected shape. */

type Path = ReadonlyArray<string | number>

/** What is wrong with a value and where, or `undefined`. */
export type Shape = (value: unknown, path?: Path) => string | undefined

const wrong = (expected: string, path: Path): string => `expected ${expected} at ${path.join(".")}`

export const is =
  (expected: string, test: (value: unknown) => boolean): Shape =>
  (value, path = []) =>
    test(value) ? undefined : wrong(expected, path)

export const string: Shape = is("a string", (value) => typeof value === "string")

export const optional =
  (shape: Shape): Shape =>
  (value, path) =>
    value === undefined ? undefined : shape(value, path)

/** An object whose members have shapes by their names. */
const object =
  (shapeOf: (value: object) => Iterable<readonly [name: string, shape: Shape]>): Shape =>
  (value, path = []) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return wrong("an object", path)
    }
    const members: Readonly<Record<string, unknown>> = { ...value }
    return Array.from(shapeOf(value), ([name, shape]) => shape(members[name], [...path, name])).find(
      (mistake) => mistake !== undefined
    )
  }

export const struct = (shapes: Readonly<Record<string, Shape>>): Shape => object(() => Object.entries(shapes))

export const record = (shape: Shape): Shape =>
  object((value) => Object.keys(value).map((name) => [name, shape] as const))

export const array =
  (shape: Shape): Shape =>
  (value, path = []) =>
    Array.isArray(value)
      ? value.map((element: unknown, at) => shape(element, [...path, at])).find((mistake) => mistake !== undefined)
      : wrong("an array", path)
