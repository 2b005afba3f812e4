/**
 * Makes a number of calls, with a limited number in flight.
 *
 * @param {() => Promise<unknown>} call
 * @param {number} count
 * @param {number} concurrency
 */
export const many = async (call, count, concurrency) => {
  let left = count
  const one = async () => {
    while (left-- > 0) {
      await call()
    }
  }
  await Promise.all(Array.from({ length: concurrency }, one))
}

/**
 * The microseconds of CPU that some work takes in this process.
 *
 * @param {() => Promise<unknown>} work
 */
export const cpuOf = async (work) => {
  const cpu = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(cpu)
  return user + system
}
