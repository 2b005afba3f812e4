// The colours of code that is written while the page is open, with the classes of the site's blocks (lighter.ts).

/** A part of code. */
export interface Coloured {
  readonly text: string
  readonly colour?: string
}

const text = /"(?:\\.|[^"\\\n])*"/

/** The patterns of a language, by the class of what they match. The first that matches wins. */
const patterns = {
  json: { g: /"(?:\\.|[^"\\\n])*"(?=:)/, s: text, n: /-?\d[\d.eE+-]*|\b(?:true|false|null)\b/ },
  ts: {
    c: /\/\/.*/,
    s: RegExp(`${text.source}|\`[^\`]*\``),
    k: /\b(?:await|const|from|function|import|new|readonly|yield)\b|[*=]|=>/,
    n: /\b(?:\d[\d.]*|boolean|false|null|number|string|true|unknown)\b/,
    f: /\b[a-z]\w*(?=\()/,
    t: /\b[A-Z]\w*(?!\w*[.(])/
  },
  sh: { s: /'[^']*'|"[^"]*"/, c: /#.*/, k: /(?<=\s)-{1,2}[\w-]+/, f: /^curl/ }
} satisfies Record<string, Readonly<Record<string, RegExp>>>

/** The parts of a program, or of JSON. */
export const coloured = (code: string, language: keyof typeof patterns): ReadonlyArray<Coloured> => {
  const named = Object.entries(patterns[language]).map(([name, { source }]) => `(?<${name}>${source})`)
  const parts: Array<Coloured> = []
  let end = 0
  for (const { 0: text, groups = {}, index } of code.matchAll(RegExp(named.join("|"), "gm"))) {
    const colour = Object.keys(groups).find((name) => groups[name] !== undefined) ?? ""
    parts.push({ text: code.slice(end, index) }, { text, colour })
    end = index + text.length
  }
  return [...parts, { text: code.slice(end) }].filter(({ text }) => text !== "")
}
