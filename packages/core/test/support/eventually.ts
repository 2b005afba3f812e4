/** Waits until something has come to be; not as long as what is idle or forgotten takes to go by itself. */
export const eventually = async (what: string, isSo: () => boolean | Promise<boolean>): Promise<void> => {
  const end = Date.now() + 3000
  while (!(await isSo())) {
    if (Date.now() > end) {
      throw new Error(`it never came to be that ${what}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
