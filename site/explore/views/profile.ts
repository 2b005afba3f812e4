// The profile and the lists of a user.
import { computed, reactive, watch } from "vue"
import { memberOf } from "../address.js"
import { type CardItem, type Explore, makeLatest, versionOf } from "../explore.js"

/** Users of the service, each with some property. */
export const users = {
  "@me": "you",
  paper_lantern: "long public lists",
  quiet_shelf: "private lists",
  first_day: "empty lists"
} as const

/** Entries of each list that are shown. */
const limit = 6

interface State {
  username: string
  /** Name and value of each fact of the profile. */
  facts: ReadonlyArray<readonly [name: string, value: string]>
  anime: ReadonlyArray<Scored>
  manga: ReadonlyArray<Scored>
}

/** An item with the user's score; 0 for none. */
interface Scored extends CardItem {
  readonly score: number
}

type Entry = { readonly node: CardItem; readonly list_status?: { readonly score?: number | undefined } | undefined }

const scored = ({ list_status, node }: Entry): Scored => ({ ...node, score: list_status?.score ?? 0 })

export const useProfile = (explore: Explore) => {
  const { keep, session } = explore
  const { account } = session
  const state = reactive<State>({
    username: "@me",
    facts: [],
    anime: [],
    manga: []
  })
  const profile = makeLatest(session, () => {
    state.facts = []
  })
  const anime = makeLatest(session, () => {
    state.anime = []
  })
  const manga = makeLatest(session, () => {
    state.manga = []
  })
  /** The user that is shown: the one that is chosen, once the form is sent. */
  const shown = reactive({ username: state.username })
  keep("profile", [memberOf(shown, "username", { choices: Object.keys(users) })])

  const isMissingUser = (): boolean => shown.username === "@me" && account.value === undefined

  const read = (): void => {
    const { username } = shown
    state.username = username
    const about = { of: username }
    void profile.run(
      "user.get",
      [{ username }],
      ({ joined_at, location, name }) => {
        const since = joined_at?.slice(0, 10) ?? ""
        state.facts = [
          ["name", name],
          ["location", location ?? ""],
          ["since", since]
        ]
      },
      about
    )
    // The error of one call says enough.
    if (isMissingUser()) {
      anime.stop()
      manga.stop()
      return
    }
    const inputs = [{ username, sort: "list_score", limit }, { fields: ["list_status"] }] as const
    void anime.run("user.animeList", [...inputs], ({ data }) => (state.anime = data.map(scored)), about)
    void manga.run("user.mangaList", [...inputs], ({ data }) => (state.manga = data.map(scored)), about)
  }

  const show = (): void => {
    if (shown.username === state.username) {
      read()
    }
    shown.username = state.username
  }

  watch(() => shown.username, read)
  watch(versionOf(explore, "profile"), read)
  read()
  const lists = { anime: anime.state, manga: manga.state }
  const parts = [profile.state, anime.state, manga.state]
  const notice = computed(() => {
    if (isMissingUser()) {
      return "Sign in to see your profile and your lists."
    }
    if (parts.some(({ isLoading }) => isLoading)) {
      return "Loading…"
    }
    if (anime.state.error || manga.state.error) {
      return ""
    }
    const lists = `${state.anime.length} anime and ${state.manga.length} manga of ${shown.username}`
    return state.anime.length + state.manga.length === 0 ? `${lists}.` : `${lists}, the best first.`
  })
  return { state, profile: profile.state, lists, notice, show }
}
