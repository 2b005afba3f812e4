/** Waits for a condition, for less time than an idle connection or a forgotten timer takes to end by itself. */
export const eventually = async (
  what: string,
  isSo: () => boolean | Promise<boolean>,
  millis = 3000
): Promise<void> => {
  const end = Date.now() + millis
  while (!(await isSo())) {
    if (Date.now() > end) {
      throw new Error(`timed out: ${what}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
