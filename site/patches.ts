// Corrections to VitePress: to its router and to components of its theme, most for readers with a keyboard or a screen reader.
import { fileURLToPath } from "node:url"
import type { Plugin } from "vitepress"

interface Patch {
  /** What is wrong, and what a reader gets instead. */
  readonly reason: string
  readonly from: string
  readonly to: string
}

/** A module, as an import names it. */
const nameOf = (module: URL): string => JSON.stringify(fileURLToPath(module))

const excerpts = nameOf(new URL(".vitepress/theme/excerpts.ts", import.meta.url))
const finding = nameOf(new URL(".vitepress/theme/found.ts", import.meta.url))
const folds = nameOf(new URL(".vitepress/theme/folds.ts", import.meta.url))
const groups = nameOf(new URL(".vitepress/theme/groups.ts", import.meta.url))
const notices = nameOf(new URL(".vitepress/theme/notice.ts", import.meta.url))
const searchWaiting = nameOf(new URL(".vitepress/theme/SearchWaiting.vue", import.meta.url))

/** The sidebar of every page. */
const sidebar = `    <VPSidebar :open="isSidebarOpen">
      <template #sidebar-nav-before><slot name="sidebar-nav-before" /></template>
      <template #sidebar-nav-after><slot name="sidebar-nav-after" /></template>
    </VPSidebar>
`

/** The outline beside a page. */
const outline = `      <div v-if="hasAside" class="aside" :class="{'left-aside': leftAside}">
        <div class="aside-curtain" />
        <div class="aside-container">
          <div class="aside-content">
            <VPDocAside>
              <template #aside-top><slot name="aside-top" /></template>
              <template #aside-bottom><slot name="aside-bottom" /></template>
              <template #aside-outline-before><slot name="aside-outline-before" /></template>
              <template #aside-outline-after><slot name="aside-outline-after" /></template>
              <template #aside-ads-before><slot name="aside-ads-before" /></template>
              <template #aside-ads-after><slot name="aside-ads-after" /></template>
            </VPDocAside>
          </div>
        </div>
      </div>

`

const patches: Readonly<Record<string, ReadonlyArray<Patch>>> = {
  router: [
    {
      reason: "a page whose address has a malformed escape in its fragment was not mounted",
      from: "route.hash = decodeURIComponent(loc.hash);",
      to: `try {
          route.hash = decodeURIComponent(loc.hash)
        } catch {
          // Without the fragment, which the theme reads again.
          route.hash = ""
          history.replaceState(history.state, "", loc.pathname + loc.search)
          if (loc !== location) loc.hash = ""
        }`
    },
    {
      reason: "what a link leads to can be in a section that is folded",
      from: "export function scrollTo(hash, smooth = false, scrollPosition = 0) {",
      to: `import { openAt, openFolds } from ${folds}
export function scrollTo(hash, smooth = false, scrollPosition = 0) {
    openAt(hash)`
    },
    {
      reason: "as above: a reader who came back found it folded again, at another place",
      from: "history.replaceState({ scrollPosition: window.scrollY }, '')",
      to: "history.replaceState({ scrollPosition: window.scrollY, open: openFolds() }, '')"
    }
  ],
  sidebar: [
    {
      reason:
        "of a page with sections in the sidebar, the one that was asked for was marked as current, wherever the reader is",
      from: "import { isActive } from '../../shared';",
      to: `import { keepGroup, wasOpen } from ${groups};
import { isActive as isActivePage } from '../../shared';
const isActive = (path, link) => !link?.includes('#') && isActivePage(path, link);`
    },
    {
      reason: "the group of the page was opened after the page was shown, which moved those below it",
      from: "const isActiveLink = ref(false);",
      to: "const isActiveLink = ref(isActive(page.value.relativePath, item.value.link));"
    },
    {
      reason: "as above",
      from: `watchEffect(() => {
        collapsed.value = !!(collapsible.value && item.value.collapsed);
    });`,
      to: "collapsed.value = !!(collapsible.value && item.value.collapsed) && !hasActiveLink.value;"
    },
    {
      reason: "the button that opened the sidebar cannot have the focus until the sidebar is closed",
      from: `close();
            triggerElement?.focus();`,
      to: `const opener = triggerElement;
            close();
            void nextTick(() => opener?.focus());`
    },
    {
      reason: "a group that a reader had opened was closed by a reload",
      from: "collapsed.value = !collapsed.value;",
      to: `collapsed.value = !collapsed.value;
            keepGroup(item.value.text, !collapsed.value);`
    },
    {
      reason: "as above",
      from: "onMounted(updateIsActiveLink);",
      to: `onMounted(() => {
        updateIsActiveLink();
        if (collapsible.value && wasOpen(item.value.text)) {
            collapsed.value = false;
        }
    });`
    },
    { reason: "as above", from: "import { computed, onMounted", to: "import { computed, nextTick, onMounted" }
  ],
  VPSidebar: [
    {
      reason: "the sidebar that was opened had no focus",
      from: "navEl.value?.focus()",
      to: 'navEl.value?.querySelector<HTMLElement>(".nav")?.focus({ preventScroll: true })'
    }
  ],
  VPSkipLink: [
    {
      reason: "a keyboard went through a whole page to the sidebar",
      from: `  </a>
</template>`,
      to: `  </a>
  <a v-if="hasSidebar" href="#VPSidebarNav" class="VPSkipLink visually-hidden">Skip to menu</a>
</template>`
    },
    {
      reason: "as above",
      from: "const { theme } = useData()",
      to: `const { theme } = useData()
const { hasSidebar } = useLayout()`
    },
    {
      reason: "as above",
      from: "import { useData } from '../composables/data'",
      to: `import { useData } from '../composables/data'
import { useLayout } from '../composables/layout'`
    }
  ],
  VPNav: [
    {
      reason: "Escape did not close the menu of a phone",
      from: "const { frontmatter } = useData()",
      to: `const { frontmatter } = useData()
onKeyStroke('Escape', () => {
  if (isScreenOpen.value) {
    closeScreen()
    document.querySelector<HTMLElement>(".VPNavBarHamburger")?.focus()
  }
})`
    },
    {
      reason: "as above",
      from: "import { inBrowser }",
      to: "import { onKeyStroke } from '@vueuse/core'\nimport { inBrowser }"
    }
  ],
  ...Object.fromEntries(
    ["VPNavBarMenuLink", "VPNavScreenMenuLink"].map((name) => [
      name,
      [
        {
          reason: "the section of the page was marked by its colour alone",
          from: 'active: isActiveLink }"\n',
          to: `active: isActiveLink }"
    :aria-current="isActive(page.relativePath, href) ? 'page' : isActiveLink || undefined"
`
        }
      ]
    ])
  ),
  VPNavBarHamburger: [
    {
      reason: "the menu was named after a device",
      from: 'aria-label="mobile navigation"',
      to: 'aria-label="Main menu"'
    }
  ],
  copyCode: [
    {
      reason: "a screen reader was not told that code was copied, and a keyboard lost its place",
      from: "el.classList.add('copied');",
      to: `el.classList.add('copied');
                    announce("Copied.");`
    },
    {
      reason: "as above",
      from: "el.blur();",
      to: 'if (!el.matches(":focus-visible")) el.blur();'
    },
    {
      reason: "as above",
      from: "import { isShell }",
      to: `import { announce } from ${notices}
import { isShell }`
    }
  ],
  VPDocFooterLastUpdated: [
    {
      reason: "the date came after the page and moved, and the browser took long to make it",
      from: "{{ datetime }}",
      to: "{{ isoDatetime.slice(0, 10) }}"
    },
    { reason: "as above", from: "onMounted(() => {", to: "void (() => {" }
  ],
  Layout: [
    { reason: "a keyboard went through all links of the sidebar before the page", from: sidebar, to: "" },
    { reason: "as above", from: "    </VPContent>\n", to: `    </VPContent>\n${sidebar}` },
    {
      reason: "a keyboard went behind the open sidebar of a phone",
      from: "    <VPNav>",
      to: '    <VPNav :inert="isSidebarOpen">'
    },
    {
      reason: "as above",
      from: '<VPLocalNav :open="isSidebarOpen"',
      to: '<VPLocalNav :inert="isSidebarOpen" :open="isSidebarOpen"'
    },
    { reason: "as above", from: "    <VPContent>", to: '    <VPContent :inert="isSidebarOpen">' }
  ],
  VPDoc: [
    { reason: "a keyboard went through the outline before the page", from: outline, to: "" },
    {
      reason: "as above",
      from: `          <slot name="doc-after" />
        </div>
      </div>
`,
      to: `        </div>
      </div>
${outline}`
    },
    {
      reason: "the button that copies the page was in no landmark",
      from: `          <slot name="doc-before" />
          <main class="main">`,
      to: `          <main class="main">
            <slot name="doc-before" />`
    },
    {
      reason: "as above",
      from: "          </main>",
      to: `            <slot name="doc-after" />
          </main>`
    }
  ],
  VPDocAsideOutline: [
    {
      reason: "it listed 130 headings of a page of the reference; now a group shows its own while the reader is there",
      from: '<VPDocOutlineItem :headers :root="true" />',
      to: '<VPDocOutlineItem :headers :root="true" :is-folded="headers.flatMap(({ children = [] }) => children).length > 40" />'
    }
  ],
  outline: [
    {
      reason: "as above",
      from: "let prevActiveLink = null;",
      to: "let prevActiveLink = null;\n    let shownGroup = null;\n    let sidebarLink = undefined;"
    },
    {
      reason: "as above: in a group, a link has another parent",
      from: "activeLink.offsetTop + 39 + 'px'",
      to: "activeLink.getBoundingClientRect().top - marker.value.parentElement.getBoundingClientRect().top + 7 + 'px'"
    },
    {
      reason: "the section of a reader was not in sight in a long outline, and not announced",
      from: "activeLink.classList.add('active');",
      to: `activeLink.classList.add('active');
            const group = activeLink.closest('details') ?? activeLink.parentElement.querySelector(':scope > details');
            if (group !== shownGroup) {
                shownGroup?.removeAttribute('open');
                group?.setAttribute('open', '');
                shownGroup = group;
            }
            activeLink.setAttribute('aria-current', 'location');
            // In the sidebar, too, where that has the sections of the page.
            const { hash, pathname } = activeLink;
            const shown = [...document.querySelectorAll('.VPSidebar a')];
            sidebarLink = shown.find((link) => link.hash === hash && link.pathname === pathname);
            sidebarLink?.setAttribute('aria-current', 'location');
            activeLink.scrollIntoView({ block: 'nearest' });`
    },
    {
      reason: "as above",
      from: "prevActiveLink.classList.remove('active');",
      to: `prevActiveLink.classList.remove('active');
            prevActiveLink.removeAttribute('aria-current');
            sidebarLink?.removeAttribute('aria-current');`
    },
    {
      reason:
        "of the last sections, which cannot be scrolled to the top, it showed the very last, or one that is out of sight",
      from: "activateLink(headers[headers.length - 1].link);",
      to: "activateLink(headers.find(({ link, top }) => link === location.hash && top > scrollY)?.link ?? headers.at(-1).link);"
    },
    {
      reason: "as above, at the end of a page that is enlarged",
      from: "Math.abs(scrollY + innerHeight - offsetHeight) < 1",
      to: "Math.abs(scrollY + innerHeight - offsetHeight) < 2"
    },
    {
      reason: "the outline of a page that was left just after it was scrolled threw an error",
      from: "if (!isAsideEnabled.value) {",
      to: "if (!isAsideEnabled.value || !marker.value) {"
    }
  ],
  VPDocOutlineItem: [
    {
      reason: "a long name broke within its words",
      from: "        {{ title }}\n",
      to: `        <template v-for="(part, at) in title.split(/\\b(?=\\.\\w)|(?<=_)|(?<=^\\w+[a-z])(?=[A-Z]\\w+$)/)"><wbr v-if="at > 0">{{ part }}</template>\n`
    },
    {
      reason:
        "a phone listed 169 headings of a page of the reference; now what is in a group is shown when it is wanted",
      from: `      <template v-if="children?.length">
        <VPDocOutlineItem :headers="children" />
      </template>`,
      to: `      <details v-if="isFolded && children?.length">
        <summary><span class="visually-hidden">In: {{ title }}</span></summary>
        <VPDocOutlineItem :headers="children" />
      </details>
      <VPDocOutlineItem v-else-if="children?.length" :headers="children" />`
    },
    { reason: "as above", from: "  root?: boolean", to: "  root?: boolean\n  isFolded?: boolean" }
  ],
  VPContent: [
    {
      reason: "only pages of text had a main landmark",
      from: 'id="VPContent"',
      to: `id="VPContent" :role="page.isNotFound || (frontmatter.layout ?? 'doc') !== 'doc' ? 'main' : undefined"`
    }
  ],
  VPLocalNav: [
    {
      reason:
        "on a phone, a page without a sidebar lost its menu once it was scrolled; now it keeps the bar at the top",
      from: "hasSidebar || y >= navHeight)",
      to: "hasSidebar)"
    },
    {
      reason: "the search of a phone was at the top of the page only",
      from: "      <VPLocalNavOutlineDropdown",
      to: `      <button v-if="y >= navHeight" type="button" class="search" aria-label="Search" @click="openSearch">
        <span class="vpi-search" aria-hidden="true"></span>
      </button>

      <VPLocalNavOutlineDropdown`
    },
    {
      reason: "as above",
      from: "const { y } = useWindowScroll()",
      to: `const { y } = useWindowScroll()
const openSearch = () => document.querySelector<HTMLElement>(".VPNavBarSearch button")?.click()`
    }
  ],
  VPLocalNavOutlineDropdown: [
    {
      reason: "the outline of a phone did not mark the current section",
      from: "watch(open, (value) => {\n  if (value) {",
      to: `/** Marks the section whose heading was the last to reach the bar, or the last one at the end of the page. */
const markCurrent = () => {
  if (window.scrollY < 1) {
    return
  }
  const isAtEnd = window.scrollY + window.innerHeight > document.documentElement.scrollHeight - 2
  // Where a link scrolls a heading to.
  const offset = parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop)
  const topOf = ({ hash }: HTMLAnchorElement) =>
    document.getElementById(decodeURIComponent(hash.slice(1)))?.getBoundingClientRect().top ?? Infinity
  const links = [...(items.value?.querySelectorAll<HTMLAnchorElement>(".outline-link") ?? [])]
  // At the end, the section that was asked for cannot come further up.
  const asked = isAtEnd ? links.find((link) => link.hash === location.hash && topOf(link) > 0) : undefined
  const current = asked ?? links.findLast((link) => isAtEnd || topOf(link) < offset + 5)
  if (current) {
    current.setAttribute("aria-current", "location")
    const group = current.closest("details")
    if (group) {
      group.open = true
    }
    const { clientHeight } = items.value
    items.value.scrollTop += current.getBoundingClientRect().top - items.value.getBoundingClientRect().top - clientHeight / 2
  }
}

watch(open, (value) => {
  if (value) {
    nextTick(markCurrent)`
    },
    {
      reason: "Escape lost the focus, and Tab went on behind it",
      from: "onKeyStroke('Escape', () => {\n  open.value = false\n})",
      to: `onKeyStroke('Escape', () => {
  if (open.value) {
    open.value = false
    main.value?.querySelector('button')?.focus()
  }
})

const closeBehind = ({ relatedTarget }: FocusEvent) => {
  if (relatedTarget instanceof Node && !main.value?.contains(relatedTarget)) {
    open.value = false
  }
}`
    },
    { reason: "as above", from: '    ref="main"\n', to: '    ref="main"\n    @focusout="closeBehind"\n' },
    {
      reason: "it listed 169 headings of a page of the reference, without its groups",
      from: "<VPDocOutlineItem :headers />",
      to: '<VPDocOutlineItem :headers :is-folded="headers.flatMap(({ children = [] }) => children).length > 40" />'
    },
    {
      reason: "it scrolled smoothly for readers who want no motion",
      from: "behavior: 'smooth'",
      to: "behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth'"
    },
    {
      reason: "it was no landmark, and its button had no state",
      from: 'ref="items" class="items"',
      to: 'ref="items" class="items" role="navigation" :aria-label="resolveTitle(theme)"'
    },
    { reason: "as above", from: '@click="toggle"', to: '@click="toggle" :aria-expanded="open"' }
  ],
  VPNavBarSearch: [
    {
      reason: "with Caps Lock the keys did nothing",
      from: "onKeyStroke('k', (event) => {\n    if (event.ctrlKey || event.metaKey)",
      to: "onKeyStroke(['k', 'K'], (event) => {\n    if (!event.shiftKey && (event.ctrlKey || event.metaKey))"
    },
    {
      reason: "a search that could not be loaded did nothing, and was not loaded again",
      from: "defineAsyncComponent(() => import('./VPLocalSearchBox.vue'))",
      to: `defineAsyncComponent({
      loader: async () => {
        isSearchMissing.value = false
        try {
          const [box] = await loadSearch()
          return box
        } catch (error) {
          showSearch.value = false
          isSearchMissing.value = true
          throw error
        }
      },
      loadingComponent: SearchWaiting,
      delay: 0
    })`
    },
    {
      reason: "what was typed while the search was loaded was lost",
      from: "import VPNavBarSearchButton",
      to: `import SearchWaiting, { isWaiting } from ${searchWaiting}
import VPNavBarSearchButton`
    },
    {
      reason: "as above",
      from: "const showSearch = ref(false)",
      to: `const showSearch = ref(false)
const isSearchMissing = ref(false)
// At once: the box would ask for its index later.
const loadSearch = () => Promise.all([import('./VPLocalSearchBox.vue'), import('@localSearchIndex').then((index) => index.default.root())])
// The search itself says that it cannot be loaded.
const loadSoon = () => void loadSearch().catch(() => {})
const closeMissing = () => {
  isSearchMissing.value = false
}
const retrySearch = () => {
  closeMissing()
  showSearch.value = true
}
onKeyStroke('Escape', () => {
  if (isWaiting()) {
    showSearch.value = false
  }
})`
    },
    {
      reason: "as above",
      from: "      <VPLocalSearchBox\n",
      to: `      <CannotLoad
        v-if="isSearchMissing"
        what="search"
        :retry="retrySearch"
        :close="closeMissing"
        @keydown.esc="closeMissing"
      />
      <VPLocalSearchBox
`
    },
    {
      reason: "the search was loaded once its button was pressed, so the first results came late",
      from: '<div class="VPNavBarSearch">',
      to: '<div class="VPNavBarSearch" @pointerenter="loadSoon" @focusin="loadSoon">'
    }
  ],
  VPFlyout: [
    {
      reason: "Escape did not close a menu",
      from: '    @mouseleave="open = false"',
      to: `    @mouseleave="open = false"
    @keydown.esc="close"`
    },
    {
      reason: "as above, and what had the focus in it is hidden",
      from: "function onBlur() {",
      to: `const close = () => {
  open.value = false
  el.value?.querySelector('button')?.focus()
}

function onBlur() {`
    }
  ],
  VPNavBarSearchButton: [
    { reason: "the keys' names were text that the button's own name lacks", from: "&#x2318;</kbd>", to: "</kbd>" },
    { reason: "as above", from: ">Ctrl</kbd>", to: "></kbd>" },
    { reason: "as above", from: "<kbd>K</kbd>", to: '<kbd class="key-k"></kbd>' }
  ],
  VPSidebarItem: [
    {
      reason: "each page had all links of the sidebar; now those below a page are there once they are shown",
      from: '<div v-if="item.items && item.items.length" class="items">',
      to: '<div v-if="item.items && item.items.length && !(depth > 0 && collapsed)" class="items">'
    },
    {
      reason: "the link to the page itself was marked by its colour alone",
      from: ':href="item.link"',
      to: `:href="item.link"
        :aria-current="isActiveLink ? 'page' : undefined"`
    },
    { reason: "a title was a button, and held one", from: ':role="itemRole"', to: "" },
    { reason: "as above", from: ':tabindex="item.items && 0"', to: "" },
    {
      reason: "as above",
      from: "{ click: onItemInteraction, keydown: onItemInteraction }",
      to: "{ click: onItemInteraction }"
    },
    {
      reason: "all buttons had one name, no state, and did not know the space bar",
      from: `<div
        v-if="item.collapsed != null && item.items && item.items.length"
        class="caret"
        role="button"
        aria-label="toggle section"
        @click="onCaretClick"
        @keydown.enter="onCaretClick"
        tabindex="0"
      >
        <span class="vpi-chevron-right caret-icon" />
      </div>`,
      to: `<button
        v-if="item.collapsed != null && item.items && item.items.length"
        type="button"
        class="caret"
        :aria-label="'Pages of ' + item.text"
        :aria-expanded="!collapsed"
        @click="onCaretClick"
      >
        <span class="vpi-chevron-right caret-icon" />
      </button>`
    }
  ],
  VPLocalSearchBox: [
    {
      reason: "the box was a button around all else; now it is a dialog, and its input a combobox",
      from: `role="button"
      :aria-owns="results?.length ? 'localsearch-list' : undefined"
      aria-expanded="true"
      aria-haspopup="listbox"
      aria-labelledby="localsearch-label"`,
      to: `role="dialog"
      aria-modal="true"
      :aria-label="translate('button.buttonText')"`
    },
    {
      reason: "as above",
      from: 'aria-autocomplete="both"',
      to: `role="combobox" aria-autocomplete="list" :aria-expanded="results?.length > 0"`
    },
    {
      reason: "the label had no text",
      from: 'aria-labelledby="localsearch-label"\n            autocap',
      to: `:aria-label="translate('button.buttonText')"\n            autocap`
    },
    {
      reason: "the list had no name",
      from: `:aria-labelledby="results?.length ? 'localsearch-label' : undefined"`,
      to: `:aria-label="results?.length ? 'Results' : undefined"`
    },
    {
      reason: "the focus was lost with the box; now what had it gets it back, unless a result is opened",
      from: "onKeyStroke('Escape', () => {\n  emit('close')\n})",
      to: `const opener = (waited ? waited.opener : document.activeElement) as HTMLElement | null
const dismiss = () => {
  isEntered = false
  emit('close')
  void nextTick(() => opener?.focus({ preventScroll: true }))
}

onKeyStroke('Escape', dismiss)`
    },
    {
      reason: "as above",
      from: `class="backdrop" @click="$emit('close')"`,
      to: 'class="backdrop" @click="dismiss"'
    },
    {
      reason: "as above",
      from: `:title="translate('modal.backButtonTitle')"
              @click="$emit('close')"`,
      to: `:title="translate('modal.backButtonTitle')"
              @click="dismiss"`
    },
    {
      reason: "letters inside of words were marked, and single letters of a pasted message",
      from: "      .sort((a, b) => b.length - a.length)\n      .map((term) => `(${escapeRegExp(term)})`)",
      to: `      .filter((term) => /..|\\d/.test(term))
      .sort((a, b) => b.length - a.length)
      .map((term) => "\\\\b" + escapeRegExp(term.trim()).replace(/y$/, "(?:y|ie)") + "(?:s\\\\b)?")`
    },
    {
      reason: "what was typed while the search was loaded was selected, so the next key replaced it",
      from: "const el = shallowRef<HTMLElement>()",
      to: `const waited = takeWaited()

const el = shallowRef<HTMLElement>()`
    },
    {
      reason: "as above",
      from: "onMounted(() => {\n  focusSearchInput()",
      to: "onMounted(() => {\n  focusSearchInput(!waited)"
    },
    {
      reason: "Enter right after the last key opened a result of the text before",
      from: "watch(filterText, () => {\n",
      to: `/** The text that has these results, and whether Enter waits for those of another. */
let searched = ""
let isEntered = waited?.isEntered === true

watch(filterText, () => {
  isEntered = false
  // A mouse that rests over the results chooses none of the next ones.
  disableMouseOver.value = true
`
    },
    {
      reason:
        "words that occur nowhere were left out of a search, so it found what has the others; now most are corrected",
      from: "results.value = index\n      .search(filterTextValue)\n",
      to: `results.value = found(index, filterTextValue, theme.value.search.options.miniSearch.options)\n`
    },
    {
      reason: "as above, and that a search had no results was said before its first long word was typed",
      from: "    enableNoResults.value = true\n",
      to: `    enableNoResults.value = /\\S{4}/.test(filterTextValue)
    searched = filterTextValue
    const [first] = results.value
    if (isEntered && first) {
      open(first)
      return
    }
`
    },
    {
      reason: "a result led to a section, where it is about one row of a table",
      from: "    router.go(selectedPackage.id)\n    emit('close')\n",
      to: "    open(selectedPackage)\n"
    },
    { reason: "as above", from: ':href="p.id"', to: ':href="matching[p.id]?.address ?? p.id"' },
    {
      reason: "as above",
      from: "const router = useRouter()\n",
      to: `const router = useRouter()

const open = async ({ id }: SearchResult) => {
  emit("close")
  router.go(await addressOf(id, searched))
}
`
    },
    {
      reason: "as above",
      from: "  const selectedPackage =",
      to: `  if (e.target instanceof HTMLInputElement && filterText.value !== searched) {
    e.preventDefault()
    isEntered = true
    return
  }

  const selectedPackage =`
    },
    {
      reason: "a search without results was a dead end, and the number of results was not announced",
      from: `"<strong>{{ filterText }}</strong
            >"`,
      to: `"<strong>{{ filterText }}</strong>". Look among
            <a :href="withBase('/operations/')" @click="$emit('close')">the operations</a>,
            <a :href="withBase('/errors/')" @click="$emit('close')">the errors</a>,
            <a :href="withBase('/api/#all-names')" @click="$emit('close')">all names</a>, and
            <a :href="withBase('/comparison#whats-missing')" @click="$emit('close')">what the client does not do</a>.`
    },
    {
      reason: "as above",
      from: '        <div class="search-keyboard-shortcuts">',
      to: `        <p role="status" class="visually-hidden">
          {{ filterText && enableNoResults ? (results.length || "No") + (results.length === 1 ? " result" : " results") : "" }}
        </p>

        <div class="search-keyboard-shortcuts">`
    },
    {
      reason: "as above",
      from: "import { dataSymbol, inBrowser, useRouter }",
      to: "import { dataSymbol, inBrowser, useRouter, withBase }"
    },
    { reason: "a pasted message lost its end, and the link there", from: 'maxlength="64"', to: 'maxlength="2000"' },
    {
      reason:
        "a result was a title alone, or loaded the script of its page; now there is room for the part that matches",
      from: '<div v-if="showDetailedList" class="excerpt-wrapper">',
      to: `<div class="summary" v-html="matching[p.id]?.text" />
                <div v-if="showDetailedList" class="excerpt-wrapper">`
    },
    {
      reason: "as above",
      from: "const enableNoResults",
      to: "const matching = shallowRef<Awaited<ReturnType<typeof excerptsOf>>>({})\n\nconst enableNoResults"
    },
    {
      reason: "as above",
      from: "import { LRUCache }",
      to: `import { addressOf, excerptsOf } from ${excerpts}
import { found } from ${finding}
import { takeWaited } from ${searchWaiting}
import { LRUCache }`
    },
    {
      reason: "as above",
      from: "    await new Promise((r) => {\n      mark.value",
      to: "    const highlight = () => new Promise((r) => {\n      mark.value"
    },
    { reason: "as above", from: "    const excerpts =", to: "    await highlight()\n\n    const excerpts =" },
    {
      reason: "as above",
      from: "    resultsEl.value?.firstElementChild?.scrollIntoView({ block: 'start' })",
      to: `    resultsEl.value?.firstElementChild?.scrollIntoView({ block: 'start' })

    // The results that are in view, once nothing more is typed: each excerpt takes a page.
    await new Promise((r) => setTimeout(r, 250))
    if (canceled) return
    const parts = await excerptsOf(results.value.slice(0, 8), filterTextValue, formMarkRegex)
    if (canceled) return
    matching.value = parts
    await nextTick()
    await highlight()`
    },
    {
      reason: "an option held a link, and its name was not its text; now the link is the option",
      from: `:id="'localsearch-item-' + index"
            :aria-selected="selectedIndex === index ? 'true' : 'false'"
            role="option"`,
      to: 'role="presentation"'
    },
    {
      reason: "as above",
      from: `:aria-label="[...p.titles, p.title].join(' > ')"`,
      to: `:id="'localsearch-item-' + index"
              :aria-selected="selectedIndex === index"
              role="option"
              tabindex="-1"`
    },
    {
      reason: "as above",
      from: '<span class="title-icon">#</span>',
      to: '<span class="title-icon" aria-hidden="true">#</span>'
    },
    ...["navigateUp", "navigateDown", "select"].map((name) => {
      const label = `:aria-label="translate('modal.footer.${name}KeyAriaLabel')"`
      return { reason: "a key that is drawn had no text", from: `<kbd ${label}`, to: `<kbd role="img" ${label}` }
    })
  ]
}

/** Applies the patches, and fails the build where a newer theme has other components or composables. */
export const patched = (): Plugin => ({
  name: "patched-theme",
  // Its packages are not those of the root, where Vite would look for them: it finds them by the modules that import them.
  configResolved: ({ environments: { client } }) => {
    const { optimizeDeps } = client ?? {}
    if (optimizeDeps?.include) {
      optimizeDeps.include = optimizeDeps.include.filter((name) => !name.startsWith("vitepress > "))
    }
  },
  // The source, before the compiler of Vue.
  enforce: "pre",
  transform: (code, id) => {
    const [, name = ""] =
      /\/(?:theme-default\/(?:components\/|composables\/)?|client\/app\/(?:composables\/)?)(\w+)\.(?:vue|js)$/.exec(
        id
      ) ?? []
    return patches[name]?.reduce((source, { from, reason, to }) => {
      if (!source.includes(from)) {
        throw new Error(`${name} of the theme has changed: see whether it still needs a patch (${reason}).`)
      }
      return source.replace(from, () => to)
    }, code)
  }
})
