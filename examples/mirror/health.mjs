// Ends with 0 if the mirror that serves at MIRROR_SERVE is well, for the health check of a container.
const { ok } = await fetch(`http://${process.env["MIRROR_SERVE"]}/health`)
process.exit(ok ? 0 : 1)
