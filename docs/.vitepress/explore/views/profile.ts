// The profile and the lists of a user.
import { reactive, watch } from "vue"
import { memberOf } from "../address.js"
import { type CardItem, type Explore, makeLatest } from "../explore.js"

/** Users of the service, each with some property. */
export const users = {
  "@me": "you",
  paper_lantern: "long lists that all may read",
  quiet_shelf: "private lists",
  first_day: "empty lists"
} as const

/** Entries of each list that are shown. */
const limit = 6

interface State {
  username: string
  /** Name and value of each fact of the profile. */
  facts: ReadonlyArray<readonly [name: string, value: string]>
  anime: ReadonlyArray<CardItem>
  manga: ReadonlyArray<CardItem>
  notice: string
}

export const useProfile = ({ keep, session }: Explore) => {
  const profile = makeLatest(session)
  const anime = makeLatest(session)
  const manga = makeLatest(session)
  const state = reactive<State>({
    username: "@me",
    facts: [],
    anime: [],
    manga: [],
    notice: ""
  })
  /** The user that is shown: the one that is chosen, once the form is sent. */
  const shown = reactive({ username: state.username })
  keep("profile", [memberOf(shown, "username", { choices: Object.keys(users) })])

  const read = async (): Promise<void> => {
    const { username } = shown
    state.username = username
    Object.assign(state, { facts: [], anime: [], manga: [] })
    await Promise.all([
      profile.run("user.get", [{ username }], ({ joined_at, location, name }) => {
        const since = joined_at?.slice(0, 10) ?? ""
        state.facts = [
          ["name", name],
          ["location", location ?? ""],
          ["since", since]
        ]
      }),
      anime.run("user.animeList", [{ username, sort: "list_score", limit }, { fields: ["mean"] }], ({ data }) => {
        state.anime = data.map(({ node }) => node)
      }),
      manga.run("user.mangaList", [{ username, sort: "list_score", limit }, { fields: ["mean"] }], ({ data }) => {
        state.manga = data.map(({ node }) => node)
      })
    ])
    state.notice = `${state.anime.length} anime and ${state.manga.length} manga of ${username} shown.`
  }

  const show = (): void => {
    if (shown.username === state.username) {
      void read()
    }
    shown.username = state.username
  }

  watch(() => shown.username, read)
  void read()
  return { state, profile: profile.state, lists: { anime: anime.state, manga: manga.state }, show }
}
