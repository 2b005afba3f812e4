import { layer } from "@catalog-client/browser"
import { inject } from "vitest"
import { wholeLists } from "../../core/test/support/lists.suite.js"

wholeLists({ transport: layer, urls: inject("listUrls") })
