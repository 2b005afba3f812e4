import "@shikijs/vitepress-twoslash/style-core.css"
import { inBrowser, type Theme } from "vitepress"
import DefaultTheme from "vitepress/theme-without-fonts"
import { defineAsyncComponent } from "vue"
import CannotLoad from "./CannotLoad.vue"
import Faces from "./Faces.vue"
import { installFolds } from "./folds.js"
import { installHovers } from "./hovers.js"
import Layout from "./Layout.vue"
import RunProgram from "./RunProgram.vue"
import "./style.css"

/** Paper is white, so a page is printed in the light theme. */
const printLight = (): void => {
  const { classList } = document.documentElement
  let isDark = false
  addEventListener("beforeprint", () => {
    isDark = classList.contains("dark")
    classList.remove("dark")
  })
  addEventListener("afterprint", () => void classList.toggle("dark", isDark))
}

export default {
  extends: DefaultTheme,
  Layout,
  enhanceApp: ({ app }) => {
    if (inBrowser) {
      installFolds()
      installHovers()
      printLight()
    }
    app.component("Faces", Faces).component("RunProgram", RunProgram)
    // The patched search shows it.
    app.component("CannotLoad", CannotLoad)
    // Only its own page loads the client.
    app.component(
      "Explore",
      defineAsyncComponent({ loader: () => import("../../explore/Explore.vue"), errorComponent: CannotLoad })
    )
  }
} satisfies Theme
