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

/** What checks the types of changed programs: addresses of a worker and of declarations, and the size of both for promises. */
declare module "virtual:types" {
  export const checker: string
  export const declarations: { readonly catalog: string; readonly effect: string }
  export const size: string
}
