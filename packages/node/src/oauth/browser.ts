/**
 * Opens the user's browser.
 */

/** Whether a browser that this process starts can appear before the user: not over SSH, nor without a display. */
const canShow = (): boolean => {
  const { DISPLAY, SSH_CLIENT, SSH_CONNECTION, SSH_TTY, WAYLAND_DISPLAY, WSL_DISTRO_NAME } = process.env
  return (
    !(SSH_CLIENT ?? SSH_CONNECTION ?? SSH_TTY) &&
    (process.platform !== "linux" || !!(DISPLAY ?? WAYLAND_DISPLAY ?? WSL_DISTRO_NAME))
  )
}

/** Opens a URL with the package `open`, if it is installed. Resolves to whether a program was started. */
export const openInBrowser = async (url: string): Promise<boolean> => {
  if (!canShow()) {
    return false
  }
  try {
    const { default: open } = await import("open")
    await open(url)
    return true
  } catch {
    return false
  }
}
