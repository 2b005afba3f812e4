// A name in code: with a hover, once the library for it is loaded. Pages without hovers do not load it.
import { inBrowser } from "vitepress"
import { type App, type Component, type FunctionalComponent, h, shallowRef } from "vue"

/** Registers what the blocks call `v-menu`. */
export const registerHover = (app: App): void => {
  const menu = shallowRef<Component>()
  let loading: Promise<void> | undefined
  const load = async () => {
    // Without a connection, names have no hovers.
    const hovers = await import("./hovers.js").catch(() => undefined)
    if (hovers) {
      hovers.installHovers(app)
      menu.value = app.component("VMenu")
    }
  }
  const Hover: FunctionalComponent<{ class?: string }> = (props, { slots }) => {
    if (inBrowser) {
      loading ??= load()
    }
    return menu.value === undefined ? h("span", { class: props.class }, slots) : h(menu.value, props, slots)
  }
  app.component("VMenu", Hover)
}
