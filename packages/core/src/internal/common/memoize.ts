/**
 * Memoizes a function by its object argument; a result is kept in `values` for as long as the object lives.
 */
export const memoize = <K extends object, V>(make: (key: K) => V, values = new WeakMap<K, V>()): ((key: K) => V) => {
  return (key) => {
    const known = values.get(key)
    if (known !== undefined || values.has(key)) {
      return known as V
    }
    const found = make(key)
    values.set(key, found)
    return found
  }
}
