import { cdp } from "@vitest/browser/context"
import { inject, test } from "vitest"
test("tls", async () => {
  const { urls } = inject("faults")
  const go = async () => {
    for (const n of ["TLS in order", "TLS with a wrong name", "TLS with an expired certificate"])
      console.log(n, await fetch(urls[n] + "/anime/1").then((r) => r.text(), String))
  }

  await cdp().send("Security.disable")
  await cdp().send("Security.setIgnoreCertificateErrors", { ignore: false })
  console.log("strict")
  await go()
})
