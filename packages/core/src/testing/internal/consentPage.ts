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

/** The page runs no script, loads nothing, is not shown in frames, and sends its form to its own URL. */
export const consentPage = (clientId: string, userName: string, target: string): ServiceResponse =>
  text(
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Sign in to the embedded catalog</title>
</head>
<body>
<h1>Sign in to the embedded catalog</h1>
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
      "content-security-policy": `default-src 'none'; form-action 'self' ${sourceOf(target)}; frame-ancestors 'none'; base-uri 'none'`,
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff"
    }
  )
