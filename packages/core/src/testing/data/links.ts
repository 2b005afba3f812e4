/**
 * Relations and recommendations between the real works of the sample. Every edge is written once and read from both ends.
 *
 * @since 0.2.0
 */
import type { Recommendation, Relation } from "../Dataset.js"

type Kind = "anime" | "manga"
type Pair = readonly [from: number, to: number]

/** Within one kind: from the first, the second is its sequel; from the second, the first is its prequel; and so on. */
const edges: ReadonlyArray<readonly [kind: Kind, there: string, back: string, pairs: ReadonlyArray<Pair>]> = [
  [
    "anime",
    "sequel",
    "prequel",
    [
      [20, 1735],
      [30, 32],
      [44, 45],
      [121, 430],
      [918, 28977],
      [28977, 34096],
      [1575, 2904],
      [9253, 10863],
      [9253, 11577],
      [10087, 11741],
      [11741, 356],
      [16498, 25777],
      [25777, 35760],
      [35760, 38524],
      [38524, 40028],
      [18689, 30230],
      [30230, 38731],
      [32188, 30484],
      [38000, 40456],
      [52991, 59978],
      [59978, 63990]
    ]
  ],
  [
    "anime",
    "side_story",
    "parent_story",
    [
      [1, 5],
      [21, 19123],
      [16498, 18397]
    ]
  ],
  [
    "anime",
    "alternative_version",
    "alternative_version",
    [
      [121, 5114],
      [9253, 32188]
    ]
  ],
  ["anime", "alternative_setting", "alternative_setting", [[9253, 30484]]],
  ["manga", "sequel", "prequel", [[10884, 92559]]],
  [
    "manga",
    "alternative_version",
    "alternative_version",
    [
      [11, 6444],
      [48621, 56805]
    ]
  ],
  ["manga", "other", "other", [[116778, 138673]]]
]

/** A manga and the anime that were adapted from it. */
const adaptations: ReadonlyArray<readonly [manga: number, anime: ReadonlyArray<number>]> = [
  [2, [33]],
  [11, [20, 1735]],
  [13, [21, 19123]],
  [21, [1535]],
  [22, [44, 45]],
  [25, [121, 5114]],
  [26, [11061]],
  [44, [918, 28977, 34096]],
  [267, [777]],
  [664, [47]],
  [704, [6]],
  [1023, [43]],
  [1133, [38668]],
  [1649, [62331]],
  [10884, [18689, 30230]],
  [11652, [11771]],
  [14893, [11597]],
  [21479, [11757]],
  [23390, [16498, 18397, 25777, 35760, 38524, 40028]],
  [35243, [38883]],
  [40171, [14813]],
  [44347, [30276]],
  [44489, [35557]],
  [56805, [28851]],
  [91941, [34599]],
  [92559, [38731]],
  [96792, [38000, 40456]],
  [126287, [52991, 59978, 63990]]
]

/** Recommendations: two works, and the number of users who recommend one for the other. */
const liked: Readonly<Record<Kind, ReadonlyArray<readonly [one: number, other: number, people: number]>>> = {
  anime: [
    [1, 6, 128],
    [1, 43, 41],
    [1, 5, 12],
    [6, 2001, 9],
    [20, 21, 71],
    [20, 11061, 88],
    [20, 34572, 35],
    [21, 11061, 64],
    [30, 1575, 47],
    [30, 2001, 83],
    [30, 35120, 22],
    [33, 777, 31],
    [33, 16498, 44],
    [43, 47, 58],
    [45, 918, 27],
    [47, 30, 19],
    [121, 5114, 66],
    [164, 199, 73],
    [199, 523, 69],
    [199, 32281, 38],
    [356, 10087, 52],
    [820, 1575, 48],
    [1535, 1575, 310],
    [1535, 9253, 57],
    [5114, 11061, 142],
    [5114, 16498, 95],
    [9253, 30484, 24],
    [9253, 1575, 36],
    [10087, 777, 21],
    [11111, 16498, 8],
    [11597, 14813, 17],
    [11665, 35838, 6],
    [11757, 38790, 33],
    [11771, 18689, 76],
    [11771, 38883, 104],
    [11843, 918, 40],
    [14813, 11843, 5],
    [15809, 32937, 62],
    [15809, 33206, 18],
    [16498, 40028, 13],
    [16524, 34599, 3],
    [18689, 38883, 45],
    [28851, 32281, 117],
    [30230, 38883, 29],
    [30230, 11771, 21],
    [30276, 32182, 151],
    [32182, 38668, 11],
    [33206, 33731, 15],
    [33489, 39792, 7],
    [34599, 35557, 26],
    [34599, 35838, 23],
    [34599, 52991, 34],
    [35120, 42310, 28],
    [38000, 34572, 37],
    [38000, 16498, 42],
    [11617, 13663, 39],
    [52991, 11665, 10]
  ],
  manga: [
    [1, 3, 37],
    [1, 21, 29],
    [1, 745, 22],
    [2, 656, 71],
    [2, 642, 64],
    [2, 564, 18],
    [3, 745, 14],
    [11, 13, 45],
    [11, 26, 31],
    [13, 26, 27],
    [13, 44, 19],
    [21, 1649, 33],
    [22, 44, 8],
    [23390, 91941, 12],
    [25, 26, 21],
    [28, 4632, 9],
    [51, 657, 26],
    [51, 35243, 34],
    [104, 418, 5],
    [116778, 1133, 41],
    [116778, 138673, 17],
    [121496, 122663, 38],
    [121496, 143441, 52],
    [126287, 9115, 16],
    [642, 16765, 47],
    [656, 657, 13],
    [933, 564, 20],
    [1224, 56805, 11],
    [4632, 126479, 15],
    [10884, 11652, 25],
    [10884, 35243, 30],
    [21479, 74697, 24],
    [40171, 14893, 10],
    [44489, 91941, 28],
    [651, 664, 19]
  ]
}

const key = (kind: Kind, id: number): string => `${kind}/${id}`

const push = <A>(to: Map<string, Array<A>>, at: string, value: A): void => {
  const list = to.get(at)
  if (list === undefined) {
    to.set(at, [value])
  } else {
    list.push(value)
  }
}

const lazily = <A>(build: () => A): (() => A) => {
  let built: { readonly value: A } | undefined
  return () => (built ??= { value: build() }).value
}

const related = /*#__PURE__*/ lazily(() => {
  const found = new Map<string, Array<Relation>>()
  for (const [kind, there, back, pairs] of edges) {
    for (const [from, to] of pairs) {
      push(found, key(kind, from), { kind, id: to, relation_type: there })
      push(found, key(kind, to), { kind, id: from, relation_type: back })
    }
  }
  for (const [manga, anime] of adaptations) {
    for (const id of anime) {
      push(found, key("manga", manga), { kind: "anime", id, relation_type: "adaptation" })
      push(found, key("anime", id), { kind: "manga", id: manga, relation_type: "adaptation" })
    }
  }
  return found
})

const recommended = /*#__PURE__*/ lazily(() => {
  const found = new Map<string, Array<Recommendation>>()
  for (const kind of ["anime", "manga"] as const) {
    for (const [one, other, num_recommendations] of liked[kind]) {
      push(found, key(kind, one), { id: other, num_recommendations })
      push(found, key(kind, other), { id: one, num_recommendations })
    }
  }
  for (const list of found.values()) {
    list.sort((a, b) => b.num_recommendations - a.num_recommendations)
  }
  return found
})

/** The works that this one continues, precedes, adapts, …, of either kind. */
export const relationsOf = (kind: Kind, id: number): ReadonlyArray<Relation> => related().get(key(kind, id)) ?? []

/** The works of the same kind that users recommend for this one, the most recommended first. */
export const recommendationsOf = (kind: Kind, id: number): ReadonlyArray<Recommendation> =>
  recommended().get(key(kind, id)) ?? []
