/** Waits for a condition, also while a test fakes `Date`. Polls for 3 s, shorter than idle timeouts. */
export const eventually = async (
  what: string,
  isSo: () => boolean | Promise<boolean>,
  millis = 3000
): Promise<void> => {
  const end = performance.now() + millis
  while (!(await isSo())) {
    if (performance.now() > end) {
      throw new Error(`timed out: ${what}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
