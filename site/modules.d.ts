declare module "*.css"

/** A style sheet as a string. */
declare module "*.css?inline" {
  const style: string
  export default style
}

declare module "*.vue" {
  import type { Component } from "vue"

  const component: Component
  export default component
}
