import Hovers from "@shikijs/vitepress-twoslash/client"
import "@shikijs/vitepress-twoslash/style.css"
import type { Theme } from "vitepress"
import DefaultTheme from "vitepress/theme-without-fonts"
import "./style.css"
import { useChosenTabs } from "./tabs.js"

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => {
    app.use(Hovers)
  },
  setup: () => {
    useChosenTabs()
  }
} satisfies Theme
