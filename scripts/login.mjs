// Signs a user in: examples/login.ts says which options there are.
import { setup } from "./setup.mjs"
import { runFromSources } from "./sources.mjs"

setup("demo")
await runFromSources("examples/login.ts")
