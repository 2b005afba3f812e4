// Covers are drawn: the page loads no picture of others.

/** What a cover shows. */
export interface Cover {
  /** Colors of the ground, the shapes and the text. */
  readonly ground: string
  readonly shape: string
  readonly circles: ReadonlyArray<{ readonly x: number; readonly y: number; readonly r: number }>
  readonly lines: ReadonlyArray<string>
}

/** A number from 0 to 1, always the same for the same seed. */
const random = (seed: number): number => {
  const value = Math.sin(seed * 12.9898) * 43758.5453
  return value - Math.floor(value)
}

/** Words in lines of at most 12 letters, four lines at most. */
const wrap = (title: string): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (const word of title.split(/\s+/)) {
    const line = lines.at(-1)
    if (line !== undefined && line.length + word.length < 12) {
      lines[lines.length - 1] = `${line} ${word}`
    } else {
      lines.push(word.length > 13 ? `${word.slice(0, 12)}…` : word)
    }
  }
  return lines.length > 4 ? [...lines.slice(0, 3), "…"] : lines
}

/** The cover of an item: its color comes from its first genre, its shapes from its id. */
export const coverOf = (id: number, title: string, genre = ""): Cover => {
  let letters = 0
  for (const letter of genre) {
    letters += letter.codePointAt(0) ?? 0
  }
  const hue = Math.round(360 * random(genre === "" ? id : letters))
  return {
    ground: `hsl(${hue} 45% 24%)`,
    shape: `hsl(${(hue + 40) % 360} 60% 45%)`,
    circles: [0, 1, 2].map((i) => ({
      x: Math.round(120 * random(id + i)),
      y: Math.round(70 * random(id + i + 10)),
      r: Math.round(12 + 30 * random(id + i + 20))
    })),
    lines: wrap(title)
  }
}
