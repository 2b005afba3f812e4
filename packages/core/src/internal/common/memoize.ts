/**
 * A function that is asked once about an object; what it answered goes when the object goes.
 */
export const memoize = <K extends object, V>(answer: (key: K) => V): ((key: K) => V) => {
  const answers = new WeakMap<K, V>()
  return (key) => {
    const known = answers.get(key)
    if (known !== undefined || answers.has(key)) {
      return known as V
    }
    const found = answer(key)
    answers.set(key, found)
    return found
  }
}
