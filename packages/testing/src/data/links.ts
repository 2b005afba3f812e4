/**
 * Relations and recommendations between the real works of the sample. Every edge is written once and read from both ends.
 *
 * @since 0.2.0
 */
import type { Recommendation, Relation } from "../Dataset.js"
import { links } from "./sample.js"

type Kind = "anime" | "manga"

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
  const relations = new Map<string, Array<Relation>>()
  for (const { kind, there, back, pairs } of links.related) {
    for (const [from, to] of pairs) {
      push(relations, key(kind, from), { kind, id: to, relation_type: there })
      push(relations, key(kind, to), { kind, id: from, relation_type: back })
    }
  }
  for (const [manga, anime] of links.adaptations) {
    for (const id of anime) {
      push(relations, key("manga", manga), { kind: "anime", id, relation_type: "adaptation" })
      push(relations, key("anime", id), { kind: "manga", id: manga, relation_type: "adaptation" })
    }
  }
  return relations
})

const recommended = /*#__PURE__*/ lazily(() => {
  const recommendations = new Map<string, Array<Recommendation>>()
  for (const kind of ["anime", "manga"] as const) {
    for (const [one, other, num_recommendations] of links.recommended[kind]) {
      push(recommendations, key(kind, one), { id: other, num_recommendations })
      push(recommendations, key(kind, other), { id: one, num_recommendations })
    }
  }
  for (const list of recommendations.values()) {
    list.sort((a, b) => b.num_recommendations - a.num_recommendations)
  }
  return recommendations
})

/** The works that this one continues, precedes, adapts, …, of either kind. */
export const relationsOf = (kind: Kind, id: number): ReadonlyArray<Relation> => related().get(key(kind, id)) ?? []

/** The works of the same kind that users recommend for this one, the most recommended first. */
export const recommendationsOf = (kind: Kind, id: number): ReadonlyArray<Recommendation> =>
  recommended().get(key(kind, id)) ?? []
