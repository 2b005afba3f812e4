/**
 * A quantile of the values: the median for 0.5.
 *
 * @param {ReadonlyArray<number>} values
 * @param {number} part
 */
export const quantile = (values, part) => {
  const sorted = values.toSorted((one, other) => one - other)
  const place = (sorted.length - 1) * part
  const [below = NaN, above = NaN] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]]
  return below + (above - below) * (place % 1)
}

/** @param {ReadonlyArray<number>} values */
export const median = (values) => quantile(values, 0.5)

/**
 * The ratio of two measurements in each round, so that other load on the machine affects both.
 *
 * @param {ReadonlyArray<number>} values
 * @param {ReadonlyArray<number>} others
 */
export const ratios = (values, others) => values.map((value, round) => value / (others[round] ?? NaN))
