import Hovers from "@shikijs/vitepress-twoslash/client"
import "@shikijs/vitepress-twoslash/style.css"
import type { Theme } from "vitepress"
import DefaultTheme from "vitepress/theme"
import Faces from "./Faces.vue"
import RunProgram from "./RunProgram.vue"

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => {
    app.use(Hovers)
    app.component("Faces", Faces).component("RunProgram", RunProgram)
  }
} satisfies Theme
