import Hovers from "@shikijs/vitepress-twoslash/client"
import "@shikijs/vitepress-twoslash/style.css"
import type { Theme } from "vitepress"
import DefaultTheme from "vitepress/theme"

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => {
    app.use(Hovers)
  }
} satisfies Theme
