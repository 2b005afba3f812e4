/** Makes a number of calls, with a limited number in flight. */
export const many = async (call, count, concurrency) => {
  let left = count
  const one = async () => {
    while (left-- > 0) {
      await call()
    }
  }
  await Promise.all(Array.from({ length: concurrency }, one))
}
