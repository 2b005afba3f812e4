// The focus of a part of the page whose elements come and go.
import { onBeforeUnmount, onMounted, type Ref } from "vue"

/**
 * Where what has the focus vanishes, such as a button that has done its work, gives the focus to the nearest part around it that
 * can have it. Without that, a keyboard would begin at the top of the page again.
 */
export const keepFocus = (root: Readonly<Ref<HTMLElement | null>>): void => {
  /** What has the focus, and what is around it. */
  let path: ReadonlyArray<EventTarget> = []
  const isShown = (target: EventTarget | undefined): target is HTMLElement =>
    target instanceof HTMLElement && target.isConnected
  const observer = new MutationObserver(() => {
    const { activeElement, body } = document
    if (path.length > 0 && activeElement === body && !isShown(path[0])) {
      const around = path.filter(isShown).find((element) => element.matches("[tabindex]"))
      path = []
      around?.focus({ preventScroll: true })
    }
  })
  const onFocus = (event: FocusEvent): void => {
    path = event.composedPath()
  }
  // Some browsers report it for an element that vanishes, too.
  const onBlur = ({ target }: FocusEvent): void =>
    queueMicrotask(() => {
      if (target === path[0] && isShown(target ?? undefined)) {
        path = []
      }
    })
  onMounted(() => {
    root.value?.addEventListener("focusin", onFocus)
    root.value?.addEventListener("focusout", onBlur)
    if (root.value) {
      observer.observe(root.value, { childList: true, subtree: true })
    }
  })
  onBeforeUnmount(() => observer.disconnect())
}
