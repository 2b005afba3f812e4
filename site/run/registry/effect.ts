// What a changed program can import, if it imports packages for Effect: those for Effect 4.
export { registry } from "../../../effect4/site/registry.js"
