/** The value below which a part of the values lies: the one in the middle for 0.5. */
export const quantile = (values, part) => {
  const sorted = values.toSorted((one, other) => one - other)
  const place = (sorted.length - 1) * part
  const below = sorted[Math.floor(place)]
  return below + (sorted[Math.ceil(place)] - below) * (place % 1)
}

export const median = (values) => quantile(values, 0.5)

/** Round by round, one thing against another: what the machine did meanwhile befell both. */
export const ratios = (values, others) => values.map((value, round) => value / others[round])
