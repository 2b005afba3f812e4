export * from "../../testing.js"
