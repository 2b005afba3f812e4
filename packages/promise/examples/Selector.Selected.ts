import type { Anime, Selected } from "catalog-client"

// An anime of which `mean` was selected.
type Rated = Selected<Anime, ["mean"]>

export const labelOf = ({ mean, title }: Rated) => (mean === undefined ? title : `${title}: ${mean}`)
