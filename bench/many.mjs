/** Makes so many calls, with some of them in flight at a time. */
export const many = async (call, count, concurrency) => {
  let left = count
  const one = async () => {
    while (left-- > 0) await call()
  }
  await Promise.all(Array.from({ length: concurrency }, one))
}
