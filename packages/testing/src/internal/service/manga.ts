/** The members, rankings and form fields of manga. */
import type { MangaListRecord, MangaRecord } from "../../Dataset.js"
import { itemDetails, itemMembers, stored } from "./fields.js"
import { commonRankings, type Kind, listSorts, ofType } from "./kind.js"
import * as FormValues from "./formValues.js"
import { mangaListStatuses } from "./listStatuses.js"
import { narrow, ofNode, type Selection } from "./selector.js"

/** An author always has an `id`, and the requested names. */
const showAuthors = ({ authors }: MangaRecord, selection: Selection | undefined): unknown => {
  const wanted = ofNode(selection)
  return authors.map(({ id, first_name, last_name, role }) => ({
    node: {
      id,
      ...(wanted?.has("first_name") === true ? { first_name } : {}),
      ...(wanted?.has("last_name") === true ? { last_name } : {})
    },
    role
  }))
}

const novels = ofType("novel", "light_novel")

const keeping = FormValues.keeping<MangaListRecord>()

export const manga: Kind<MangaRecord, MangaListRecord> = {
  name: "manga",
  shelf: (store) => store.manga,
  list: (account) => account.manga,
  members: new Map([
    ...itemMembers<MangaRecord>(),
    ...stored<MangaRecord>("num_volumes", "num_chapters"),
    ["authors", showAuthors]
  ]),
  details: new Map([
    ...itemDetails<MangaRecord>("manga"),
    [
      "serialization",
      ({ serialization }, selection) => serialization.map((node) => ({ node: narrow(node, ofNode(selection)) }))
    ]
  ]),
  statusMembers: [
    "status",
    "score",
    "num_volumes_read",
    "num_chapters_read",
    "is_rereading",
    "updated_at",
    "start_date",
    "finish_date"
  ],
  statusExtras: ["priority", "num_times_reread", "reread_value", "tags", "comments"],
  statuses: mangaListStatuses,
  isRepeated: (entry) => entry.is_rereading,
  rankings: new Map([
    ...commonRankings,
    ["manga", ofType("manga")],
    ["novels", novels],
    // An older name, which clients still send.
    ["lightnovels", novels],
    ["oneshots", ofType("one_shot")],
    ["doujin", ofType("doujinshi")],
    ["manhwa", ofType("manhwa")],
    ["manhua", ofType("manhua")]
  ]),
  sorts: listSorts("manga"),
  form: new Map([
    keeping("status", FormValues.word(mangaListStatuses)),
    keeping("score", FormValues.rounded(10)),
    FormValues.progress(
      "num_chapters_read",
      (item: MangaRecord) => item.num_chapters,
      (num_chapters_read): Partial<MangaListRecord> => ({ num_chapters_read })
    ),
    FormValues.progress(
      "num_volumes_read",
      (item: MangaRecord) => item.num_volumes,
      (num_volumes_read): Partial<MangaListRecord> => ({ num_volumes_read })
    ),
    keeping("is_rereading", FormValues.flag),
    keeping("num_times_reread", FormValues.whole()),
    keeping("reread_value", FormValues.whole(5)),
    keeping("priority", FormValues.whole(2)),
    keeping("tags", FormValues.tags),
    keeping("comments", FormValues.text),
    FormValues.date("start_date"),
    FormValues.date("finish_date")
  ]),
  blank: (id) => ({
    id,
    status: "",
    score: 0,
    num_chapters_read: 0,
    num_volumes_read: 0,
    is_rereading: false,
    num_times_reread: 0,
    reread_value: 0,
    priority: 0,
    tags: [],
    comments: "",
    updated_at: ""
  }),
  firstStatus: (entry) => (entry.num_chapters_read > 0 || entry.num_volumes_read > 0 ? "reading" : "plan_to_read")
}
