/** Opens the search with a text, which its box takes from the session. */
export const openSearch = (text: string): void => {
  sessionStorage.setItem("vitepress:local-search-filter", text)
  document.querySelector<HTMLElement>(".VPNavBarSearch button")?.click()
}
