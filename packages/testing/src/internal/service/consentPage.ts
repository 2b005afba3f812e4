/** The page on which a user allows a client access. */
import { type ServiceResponse, text } from "./response.js"

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

const escaped = (raw: string): string => raw.replace(/[&<>"']/g, (sign) => entities[sign] ?? "")

/**
 * Where the form may redirect to: an origin, or the scheme if a policy cannot contain the origin (an app, an IPv6
 * address).
 */
const sourceOf = (target: string): string => {
  const { hostname, origin, protocol } = new URL(target)
  return /^https?:$/.test(protocol) && /^[\w.-]+$/.test(hostname) ? origin : protocol
}

const style =
  "body{max-width:32rem;margin:2rem auto;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}h1{font-size:1.5rem;line-height:1.2}button{margin-right:.5rem;padding:.5rem 1.5rem;font:inherit}"

/** The digest of the style, by which the policy allows it: `printf %s "$style" | openssl dgst -sha256 -binary | base64`. */
const styleHash = "sha256-QZx4sYBVhI0gZdhYw1j2ePXyZseJ8jcVLPGWUSyyKkI="

/** The page runs no script, loads nothing, is not shown in frames, and sends its form to its own URL. */
export const consentPage = (clientId: string, userName: string, target: string): ServiceResponse =>
  text(
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Sign in to the embedded service</title>
<style>${style}</style>
</head>
<body>
<h1>Sign in to the embedded service</h1>
<p>The application <strong>${escaped(clientId)}</strong> asks to read and change the lists of <strong>${escaped(userName)}</strong>.</p>
<p>Your answer goes to <code>${escaped(target)}</code>.</p>
<form method="post">
<button name="decision" value="allow">Allow</button>
<button name="decision" value="deny">Deny</button>
</form>
</body>
</html>
`,
    "text/html; charset=UTF-8",
    200,
    {
      "content-security-policy": `default-src 'none'; style-src '${styleHash}'; form-action 'self' ${sourceOf(target)}; frame-ancestors 'none'; base-uri 'none'`,
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff"
    }
  )
