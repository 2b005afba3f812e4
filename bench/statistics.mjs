/** A quantile of the values: the median for 0.5. */
export const quantile = (values, part) => {
  const sorted = values.toSorted((one, other) => one - other)
  const place = (sorted.length - 1) * part
  const below = sorted[Math.floor(place)]
  return below + (sorted[Math.ceil(place)] - below) * (place % 1)
}

export const median = (values) => quantile(values, 0.5)

/** The ratio of two measurements in each round, so that other load on the machine affects both. */
export const ratios = (values, others) => values.map((value, round) => value / others[round])
