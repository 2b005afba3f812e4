/** The value in the middle, or between the two in the middle. */
export const median = (values) => {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** Round by round, one thing against another: what the machine did meanwhile befell both. */
export const ratios = (values, others) => values.map((value, round) => value / others[round])
