/**
 * The real manga and novels of the sample.
 *
 * @since 0.2.0
 */
import type { MangaRecord } from "../Dataset.js"
import { recommendationsOf, relationsOf } from "./links.js"
import { magazine, mangaGenre, person, pictureOf, stampsOf } from "./names.js"

type Role = "Story & Art" | "Story" | "Art"

interface Row extends Pick<MangaRecord, "id" | "title" | "synopsis"> {
  readonly en: string
  /** The title in the original language, which need not be Japanese. */
  readonly ja: string
  readonly synonyms?: ReadonlyArray<string>
  /** First and last day. */
  readonly published: readonly [from: string, to?: string]
  /** `manga` by default. */
  readonly type?: string
  /** `finished` by default. */
  readonly status?: string
  readonly volumes: number
  readonly chapters: number
  readonly nsfw?: "gray"
  readonly authors: ReadonlyArray<readonly [keyof typeof person, Role?]>
  readonly magazine?: keyof typeof magazine
  readonly genres: ReadonlyArray<keyof typeof mangaGenre>
  readonly score: readonly [mean: number, rank: number]
  readonly users: readonly [popularity: number, onLists: number, scoring: number, favorites: number]
}

const record = (row: Row): MangaRecord => {
  const [popularity, num_list_users, num_scoring_users, num_favorites] = row.users
  return {
    id: row.id,
    title: row.title,
    main_picture: pictureOf("manga", row.id),
    alternative_titles: { synonyms: row.synonyms ?? [], en: row.en, ja: row.ja },
    start_date: row.published[0],
    ...(row.published[1] === undefined ? {} : { end_date: row.published[1] }),
    ...(row.synopsis === undefined ? {} : { synopsis: row.synopsis }),
    mean: row.score[0],
    rank: row.score[1],
    popularity,
    num_list_users,
    num_scoring_users,
    num_favorites,
    nsfw: row.nsfw ?? "white",
    genres: row.genres.map((name) => mangaGenre[name]),
    media_type: row.type ?? "manga",
    status: row.status ?? "finished",
    num_volumes: row.volumes,
    num_chapters: row.chapters,
    authors: row.authors.map(([name, role]) => ({ ...person[name], role: role ?? "Story & Art" })),
    serialization: row.magazine === undefined ? [] : [magazine[row.magazine]],
    related: relationsOf("manga", row.id),
    recommendations: recommendationsOf("manga", row.id),
    ...stampsOf(row.id),
    created_at: "1970-01-01T00:00:00+00:00"
  }
}

/** Builds the records of the real manga, by id. */
export const sampleManga = (): ReadonlyArray<MangaRecord> => rows().map(record)

const rows = (): ReadonlyArray<Row> => [
  {
    id: 1,
    title: "Monster",
    en: "Monster",
    ja: "MONSTER",
    published: ["1994-12-05", "2001-12-20"],
    volumes: 18,
    chapters: 162,
    authors: [["urasawaNaoki"]],
    magazine: "bigComicOriginal",
    genres: ["awardWinning", "drama", "mystery", "adultCast", "psychological", "seinen"],
    score: [9.16, 5],
    users: [29, 258581, 104327, 22008],
    synopsis:
      "A surgeon saves a boy instead of the mayor and loses his career for it. Nine years later he learns whose life he saved, and follows him across a Europe that would rather forget."
  },
  {
    id: 2,
    title: "Berserk",
    en: "Berserk",
    ja: "ベルセルク",
    synonyms: ["Berserk: The Prototype"],
    published: ["1989-08-25"],
    status: "currently_publishing",
    volumes: 0,
    chapters: 0,
    authors: [["miuraKentarou"], ["studioGaga", "Art"]],
    magazine: "youngAnimal",
    genres: [
      "action",
      "adventure",
      "awardWinning",
      "drama",
      "fantasy",
      "horror",
      "supernatural",
      "gore",
      "military",
      "mythology",
      "psychological",
      "seinen"
    ],
    score: [9.47, 1],
    users: [1, 725079, 363720, 130489],
    synopsis:
      "Branded for sacrifice, Guts hunts the beings that took everything from him, with a sword nobody else can lift. Long after revenge has stopped being enough, other people begin to walk beside him."
  },
  {
    id: 3,
    title: "20th Century Boys",
    en: "20th Century Boys",
    ja: "20世紀少年",
    synonyms: ["Nijuu Seiki Shounen"],
    published: ["1999-09-27", "2006-04-24"],
    volumes: 22,
    chapters: 249,
    authors: [["urasawaNaoki"]],
    magazine: "bigComicSpirits",
    genres: ["awardWinning", "drama", "mystery", "sciFi", "historical", "psychological", "seinen"],
    score: [8.94, 17],
    users: [25, 276082, 97058, 21078],
    synopsis:
      "As children they drew up a plan for the end of the world in their secret base. As adults they find that somebody is carrying it out, line by line."
  },
  {
    id: 11,
    title: "Naruto",
    en: "Naruto",
    ja: "NARUTO -ナルト-",
    synonyms: ["Naruto (2000)"],
    published: ["1999-09-21", "2014-11-10"],
    volumes: 72,
    chapters: 700,
    authors: [["kishimotoMasashi"]],
    magazine: "shounenJumpWeekly",
    genres: ["action", "adventure", "fantasy", "martialArts", "shounen"],
    score: [8.07, 624],
    users: [12, 423605, 276939, 43575],
    synopsis:
      "An orphan with a demon in his belly wants to lead the village that avoids him. His rival wants revenge, and the world of ninja has a use for both wishes."
  },
  {
    id: 13,
    title: "One Piece",
    en: "One Piece",
    ja: "ONE PIECE",
    synonyms: ["OP"],
    published: ["1997-07-22"],
    status: "currently_publishing",
    volumes: 0,
    chapters: 0,
    authors: [["odaEiichiro"]],
    magazine: "shounenJumpWeekly",
    genres: ["action", "adventure", "fantasy", "shounen"],
    score: [9.22, 4],
    users: [4, 642620, 392811, 119974],
    synopsis:
      "With a straw hat and a body of rubber a boy goes to sea to become king of the pirates. The map turns out to be as large as the author's imagination, and almost everything in it returns later."
  },
  {
    id: 21,
    title: "Death Note",
    en: "Death Note",
    ja: "デスノート",
    synonyms: ["DN"],
    published: ["2003-12-01", "2006-05-15"],
    volumes: 12,
    chapters: 108,
    authors: [
      ["obataTakeshi", "Art"],
      ["ohbaTsugumi", "Story"]
    ],
    magazine: "shounenJumpWeekly",
    genres: ["supernatural", "suspense", "psychological", "shounen"],
    score: [8.69, 60],
    users: [14, 405512, 232378, 32171],
    synopsis:
      "A bored god of death drops a notebook, and a bored pupil picks it up. A duel of two minds begins in which every rule written on the cover becomes a weapon."
  },
  {
    id: 22,
    title: "Rurouni Kenshin: Meiji Kenkaku Romantan",
    en: "Rurouni Kenshin: Meiji Swordsman Romantic Story",
    ja: "るろうに剣心 -明治剣客浪漫譚-",
    synonyms: ["Samurai X"],
    published: ["1994-04-12", "1999-09-21"],
    volumes: 28,
    chapters: 259,
    authors: [["watsukiNobuhiro"]],
    magazine: "shounenJumpWeekly",
    genres: ["action", "drama", "historical", "samurai", "shounen"],
    score: [8.54, 123],
    users: [143, 99955, 48746, 7198],
    synopsis:
      "The man who killed for the new era wanders through it with a sword that cannot kill. In a dojo without pupils he finds people to protect, and a place to be found by old acquaintances."
  },
  {
    id: 25,
    title: "Fullmetal Alchemist",
    en: "Fullmetal Alchemist",
    ja: "鋼の錬金術師",
    synonyms: ["Hagane no Renkinjutsushi", "FMA"],
    published: ["2001-07-12", "2010-09-11"],
    volumes: 27,
    chapters: 116,
    authors: [["arakawaHiromu"]],
    magazine: "shounenGangan",
    genres: ["action", "adventure", "awardWinning", "drama", "fantasy", "military", "shounen"],
    score: [9.04, 8],
    users: [20, 301710, 161487, 30347],
    synopsis:
      "Two brothers who paid for one forbidden night with their bodies look for the stone that could restore them. Every answer leads deeper into the state that employs them."
  },
  {
    id: 26,
    title: "Hunter x Hunter",
    en: "Hunter x Hunter",
    ja: "HUNTER×HUNTER（ハンター×ハンター）",
    synonyms: ["HxH"],
    published: ["1998-03-03"],
    status: "on_hiatus",
    volumes: 0,
    chapters: 0,
    authors: [["togashiYoshihiro"]],
    magazine: "shounenJumpWeekly",
    genres: ["action", "adventure", "fantasy", "shounen"],
    score: [8.75, 47],
    users: [22, 284223, 130841, 24555],
    synopsis:
      "A boy from an island looks for the father who preferred adventure to him. The rules of this world are laid open like those of a game, and then people break on them."
  },
  {
    id: 28,
    title: "Nana",
    en: "Nana",
    ja: "NANA -ナナ-",
    published: ["2000-05-26"],
    status: "on_hiatus",
    volumes: 21,
    chapters: 84,
    authors: [["yazawaAi"]],
    magazine: "cookie",
    genres: ["awardWinning", "drama", "romance", "adultCast", "lovePolygon", "music", "shoujo"],
    score: [8.8, 39],
    users: [78, 150639, 46629, 12183],
    synopsis:
      "Two women of the same name meet on a train and share a flat: one came to Tokyo for love, the other for her band. Fame comes, and the kitchen table by the window stays behind."
  },
  {
    id: 44,
    title: "Gintama",
    en: "Gin Tama",
    ja: "銀魂",
    synonyms: ["Silver Soul"],
    published: ["2003-12-08", "2019-06-20"],
    volumes: 77,
    chapters: 709,
    authors: [["sorachiHideaki"]],
    magazine: "shounenJumpWeekly",
    genres: ["action", "comedy", "sciFi", "gagHumor", "historical", "parody", "samurai", "shounen"],
    score: [8.63, 79],
    users: [150, 97431, 40356, 8310],
    synopsis:
      "In an Edo run by visitors from space a lazy samurai runs an agency for anything. His landlady wants the rent, his past wants him back, and his magazine wants chapters."
  },
  {
    id: 51,
    title: "Slam Dunk",
    en: "Slam Dunk",
    ja: "SLAM DUNK",
    published: ["1990-09-18", "1996-06-04"],
    volumes: 31,
    chapters: 276,
    authors: [["inoueTakehiko"]],
    magazine: "shounenJumpWeekly",
    genres: ["awardWinning", "sports", "school", "teamSports", "shounen"],
    score: [9.08, 6],
    users: [54, 179520, 80820, 16617],
    synopsis:
      "A red-haired brawler takes up basketball to impress a girl and calls himself a genius before he can dribble. He is an idiot, he is right, and a whole team grows around the fact."
  },
  {
    id: 102,
    title: "Fruits Basket",
    en: "Fruits Basket",
    ja: "フルーツバスケット",
    synonyms: ["Furuba"],
    published: ["1998-07-18", "2006-11-20"],
    volumes: 23,
    chapters: 136,
    authors: [["takayaNatsuki"]],
    magazine: "hanaToYume",
    genres: ["awardWinning", "drama", "romance", "supernatural", "lovePolygon", "school", "shoujo"],
    score: [8.53, 126],
    users: [80, 145441, 74238, 14640],
    synopsis:
      "An orphan camping in the woods is taken in by a family that turns into the animals of the zodiac when embraced. What looks like a comedy is about people learning to be held."
  },
  {
    id: 104,
    title: "Yotsuba to!",
    en: "Yotsuba&!",
    ja: "よつばと!",
    synonyms: ["Yotsubato!"],
    published: ["2003-03-21"],
    status: "currently_publishing",
    volumes: 0,
    chapters: 0,
    authors: [["azumaKiyohiko"]],
    magazine: "dengekiDaioh",
    genres: ["awardWinning", "comedy", "sliceOfLife", "childcare", "iyashikei"],
    score: [8.9, 23],
    users: [71, 161366, 56859, 16781],
    synopsis:
      "Five-year-old Yotsuba moves to town with her father and discovers bicycles, ramen, doorbells and rain. Nothing happens, and all of it for the first time."
  },
  {
    id: 267,
    title: "Hellsing",
    en: "Hellsing",
    ja: "HELLSING",
    published: ["1997-04-30", "2008-09-30"],
    volumes: 10,
    chapters: 92,
    authors: [["hiranoKouta"]],
    magazine: "youngKingOURs",
    genres: ["action", "horror", "supernatural", "adultCast", "gore", "historical", "vampire", "seinen"],
    score: [8.28, 331],
    users: [146, 98964, 44685, 5763],
    synopsis:
      "An order in the service of the queen hunts vampires and keeps the most dangerous of them as its weapon. Old soldiers come back for the war they are homesick for."
  },
  {
    id: 418,
    title: "Mushishi",
    en: "Mushishi",
    ja: "蟲師",
    synonyms: ["Mushi-shi"],
    published: ["1999-10-08", "2008-08-25"],
    volumes: 10,
    chapters: 50,
    authors: [["urushibaraYuki"]],
    magazine: "afternoon",
    genres: ["awardWinning", "fantasy", "mystery", "supernatural", "adultCast", "historical", "iyashikei", "seinen"],
    score: [8.71, 57],
    users: [179, 87232, 20438, 2921],
    synopsis:
      "A white-haired man walks from village to village and treats those who have come too close to a form of life without a shape. He smokes, explains, and does not always help."
  },
  {
    id: 564,
    title: "Gantz",
    en: "Gantz",
    ja: "GANTZ",
    published: ["2000-07-13", "2013-06-20"],
    volumes: 37,
    chapters: 383,
    nsfw: "gray",
    authors: [["okuHiroya"]],
    magazine: "youngJump",
    genres: ["action", "drama", "horror", "sciFi", "supernatural", "gore", "psychological", "survival", "seinen"],
    score: [8.09, 601],
    users: [30, 241765, 116748, 18510],
    synopsis:
      "The newly dead wake up in a flat with a black ball that gives them weapons and an address. Whoever survives the hunt gets points; whoever gets a hundred may choose."
  },
  {
    id: 642,
    title: "Vinland Saga",
    en: "Vinland Saga",
    ja: "ヴィンランド・サガ",
    published: ["2005-04-13"],
    status: "currently_publishing",
    volumes: 0,
    chapters: 0,
    authors: [["yukimuraMakoto"]],
    magazine: "afternoon",
    genres: ["action", "adventure", "awardWinning", "drama", "historical", "seinen"],
    score: [9.08, 7],
    users: [17, 319792, 137915, 35018],
    synopsis:
      "A boy sails with the murderer of his father, waiting for the day he may challenge him. When revenge is taken away from him he has to find out what a man without enemies could do."
  },
  {
    id: 651,
    title: "Kaze no Tani no Nausicaä",
    en: "Nausicaä of the Valley of the Wind",
    ja: "風の谷のナウシカ",
    synonyms: ["Kaze no Tani no Nausicaa"],
    published: ["1982-10-09", "1994-02-10"],
    volumes: 7,
    chapters: 59,
    authors: [["miyazakiHayao"]],
    magazine: "animage",
    genres: ["action", "adventure", "awardWinning", "fantasy", "supernatural"],
    score: [8.81, 38],
    users: [276, 60822, 17670, 3513],
    synopsis:
      "A thousand years after the great war a princess flies over a poisonous forest that everybody else wants to burn. The film covers a fraction of this; the rest is darker and wiser."
  },
  {
    id: 656,
    title: "Vagabond",
    en: "Vagabond",
    ja: "バガボンド",
    published: ["1998-09-03"],
    status: "on_hiatus",
    volumes: 37,
    chapters: 327,
    authors: [["inoueTakehiko"], ["yoshikawaEiji", "Story"]],
    magazine: "morning",
    genres: ["action", "adventure", "awardWinning", "historical", "samurai", "seinen"],
    score: [9.26, 3],
    users: [13, 406082, 154583, 44258],
    synopsis:
      "A violent village boy leaves a lost battle under a new name and means to be invincible. Brush and ink follow him to the question of what that would be good for."
  },
  {
    id: 657,
    title: "Real",
    en: "Real",
    ja: "リアル",
    published: ["1999-10-28"],
    status: "currently_publishing",
    volumes: 0,
    chapters: 0,
    authors: [["inoueTakehiko"]],
    magazine: "youngJump",
    genres: ["awardWinning", "drama", "sports", "psychological", "teamSports", "seinen"],
    score: [8.95, 16],
    users: [160, 94450, 21855, 4049],
    synopsis:
      "Three young men, one on a wheelchair team, one out of school and one out of his own body, come to terms with what they cannot change. The court is where they measure it."
  },
  {
    id: 664,
    title: "Akira",
    en: "Akira",
    ja: "AKIRA（アキラ）",
    published: ["1982-12-06", "1990-06-11"],
    volumes: 6,
    chapters: 120,
    authors: [["otomoKatsuhiro"]],
    magazine: "youngMagazineWeekly",
    genres: ["action", "awardWinning", "sciFi", "gore", "seinen"],
    score: [8.66, 67],
    users: [91, 136720, 45210, 6635],
    synopsis:
      "In a rebuilt Tokyo a gang member awakens a power that the state had frozen below the stadium. The city falls a second time, and the second half is about those who stay in the ruins."
  },
  {
    id: 704,
    title: "Trigun Maximum",
    en: "Trigun Maximum",
    ja: "トライガンマキシマム",
    published: ["1997-09-30", "2007-03-30"],
    volumes: 14,
    chapters: 102,
    authors: [["nightowYasuhiro"]],
    magazine: "youngKingOURs",
    genres: ["action", "adventure", "awardWinning", "comedy", "drama", "sciFi", "adultCast", "seinen"],
    score: [8.27, 346],
    users: [608, 30494, 11147, 1645],
    synopsis:
      "Two years after he disappeared, Vash is found living under another name. His brother has gathered killers, and the preacher at his side has been told what to do."
  },
  {
    id: 745,
    title: "Pluto",
    en: "Pluto: Urasawa x Tezuka",
    ja: "PLUTO",
    published: ["2003-09-09", "2009-04-01"],
    volumes: 8,
    chapters: 65,
    authors: [["urasawaNaoki"], ["tezukaOsamu", "Story"]],
    magazine: "bigComicOriginal",
    genres: ["action", "awardWinning", "mystery", "sciFi", "suspense", "detective", "psychological", "seinen"],
    score: [8.62, 86],
    users: [101, 126330, 47517, 5373],
    synopsis:
      "Somebody destroys the strongest robots of the world one after the other, and kills those who defended their rights. A detective who is himself one of the seven investigates what hatred is."
  },
  {
    id: 933,
    title: "Elfen Lied",
    en: "Elfen Lied",
    ja: "エルフェンリート",
    synonyms: ["Elfen Song"],
    published: ["2002-06-06", "2005-08-25"],
    volumes: 12,
    chapters: 113,
    nsfw: "gray",
    authors: [["okamotoLynn"]],
    magazine: "youngJump",
    genres: ["action", "drama", "horror", "romance", "supernatural", "gore", "psychological", "seinen"],
    score: [7.79, 1328],
    users: [145, 99619, 50711, 5450],
    synopsis:
      "A girl with horns and invisible hands escapes from an institute and is found on a beach by a student who does not remember her. Tenderness and slaughter live under one roof."
  },
  {
    id: 1023,
    title: "Koukaku Kidoutai: The Ghost in the Shell",
    en: "The Ghost in the Shell",
    ja: "攻殻機動隊 THE GHOST IN THE SHELL",
    synonyms: ["GitS"],
    published: ["1989-03-01", "1991-09-01"],
    volumes: 1,
    chapters: 11,
    authors: [["shirowMasamune"]],
    magazine: "youngMagazineKaizokuban",
    genres: ["action", "sciFi", "adultCast", "detective", "psychological", "seinen"],
    score: [7.96, 826],
    users: [438, 41055, 13475, 1392],
    synopsis:
      "A unit of the police with artificial bodies deals with crimes that happen inside heads. Dense with footnotes and jokes, it ends with an offer that can hardly be refused."
  },
  {
    id: 1133,
    title: "Dorohedoro",
    en: "Dorohedoro",
    ja: "ドロヘドロ",
    published: ["2000-11-30", "2018-09-12"],
    volumes: 23,
    chapters: 190,
    authors: [["hayashidaQ"]],
    magazine: "gessan",
    genres: ["action", "comedy", "fantasy", "horror", "gore", "seinen"],
    score: [8.69, 62],
    users: [47, 183385, 59706, 14026],
    synopsis:
      "A man with the head of a lizard and no memory bites sorcerers to find the one who cursed him. The mystery is intricate, the blood plentiful and the cooking excellent."
  },
  {
    id: 1224,
    title: "3-gatsu no Lion",
    en: "March Comes in Like a Lion",
    ja: "3月のライオン",
    synonyms: ["Sangatsu no Lion"],
    published: ["2007-07-13"],
    status: "currently_publishing",
    volumes: 0,
    chapters: 0,
    authors: [["uminoChica"]],
    magazine: "youngAnimal",
    genres: ["awardWinning", "drama", "sliceOfLife", "childcare", "iyashikei", "strategyGame", "seinen"],
    score: [8.86, 27],
    users: [229, 70550, 19710, 4177],
    synopsis:
      "A professional shogi player of seventeen lives alone beside the river and hardly eats. Three sisters across the bridge feed him, and the board stops being the only place where he exists."
  },
  {
    id: 1649,
    title: "Liar Game",
    en: "Liar Game",
    ja: "ライアーゲーム",
    published: ["2005-02-17", "2015-01-22"],
    volumes: 19,
    chapters: 203,
    authors: [["kaitaniShinobu"]],
    magazine: "youngJump",
    genres: ["drama", "highStakesGame", "psychological", "strategyGame", "seinen"],
    score: [8.26, 355],
    users: [117, 116935, 37849, 5438],
    synopsis:
      "A tournament lends its players a fortune and lets them take it from one another by lying. A trusting student and a swindler show that a rule can be read in more than one way."
  },
  {
    id: 1706,
    title: "JoJo no Kimyou na Bouken Part 7: Steel Ball Run",
    en: "JoJo's Bizarre Adventure Part 7: Steel Ball Run",
    ja: "ジョジョの奇妙な冒険 Part7 STEEL BALL RUN",
    synonyms: ["SBR"],
    published: ["2004-01-19", "2011-04-19"],
    volumes: 24,
    chapters: 96,
    authors: [["arakiHirohiko"]],
    magazine: "ultraJump",
    genres: ["action", "adventure", "mystery", "supernatural", "historical", "seinen"],
    score: [9.31, 2],
    users: [23, 280428, 172219, 46269],
    synopsis:
      "A race on horseback crosses the America of 1890, and a paralysed former jockey joins to learn the secret of a spinning ball. What the organisers collect along the route is no prize."
  },
  {
    id: 4632,
    title: "Oyasumi Punpun",
    en: "Goodnight Punpun",
    ja: "おやすみプンプン",
    published: ["2007-03-15", "2013-11-02"],
    volumes: 13,
    chapters: 147,
    authors: [["asanoInio"]],
    magazine: "bigComicSpirits",
    genres: ["drama", "sliceOfLife", "psychological", "seinen"],
    score: [9.0, 13],
    users: [8, 467883, 194903, 54518],
    synopsis:
      "Punpun, drawn as a scribbled bird, falls in love in primary school and promises too much. We see him grow up, and hope each year that it will turn out differently."
  },
  {
    id: 6444,
    title: "Naruto",
    en: "Naruto (One-shot)",
    ja: "NARUTO -ナルト- (読切)",
    synonyms: ["Naruto Pilot"],
    published: ["1997-08-18", "1997-08-18"],
    type: "one_shot",
    volumes: 0,
    chapters: 1,
    authors: [["kishimotoMasashi"]],
    magazine: "akamaruJump",
    genres: ["action", "shounen"],
    score: [6.49, 16216],
    users: [1161, 16954, 10028, 189],
    synopsis:
      "The first draft of a long career: a young fox spirit in human shape is sent out to find somebody he can trust. Much would change, the whiskers stayed."
  },
  {
    id: 9115,
    title: "Ookami to Koushinryou",
    en: "Spice & Wolf",
    ja: "狼と香辛料",
    synonyms: ["Spice and Wolf"],
    published: ["2006-02-10"],
    type: "light_novel",
    status: "currently_publishing",
    volumes: 0,
    chapters: 0,
    authors: [
      ["hasekuraIsuna", "Story"],
      ["ayakuraJuu", "Art"]
    ],
    genres: ["adventure", "drama", "fantasy", "romance", "supernatural", "adultCast", "historical"],
    score: [8.82, 34],
    users: [251, 65894, 16492, 4194],
    synopsis:
      "A travelling merchant finds the goddess of the harvest asleep in his cart; she wants to go home to the north. They trade, quarrel about coins and take care not to say what is the matter."
  },
  {
    id: 10884,
    title: "Diamond no Ace",
    en: "Ace of the Diamond",
    ja: "ダイヤのA",
    synonyms: ["Daiya no Ace"],
    published: ["2006-05-17", "2015-01-14"],
    volumes: 47,
    chapters: 423,
    authors: [["terajimaYuuji"]],
    magazine: "shounenMagazineWeekly",
    genres: ["sports", "school", "teamSports", "shounen"],
    score: [8.4, 215],
    users: [514, 36000, 13500, 1500],
    synopsis:
      "A pitcher from a school that is about to close throws a few balls on a visit to Tokyo and is asked to stay. Among a hundred players he starts at the very back, shouting."
  },
  {
    id: 11652,
    title: "Kuroko no Basket",
    en: "Kuroko's Basketball",
    ja: "黒子のバスケ",
    synonyms: ["Kuroko no Basuke"],
    published: ["2008-12-08", "2014-09-01"],
    volumes: 30,
    chapters: 276,
    authors: [["fujimakiTadatoshi"]],
    magazine: "shounenJumpWeekly",
    genres: ["comedy", "sports", "school", "teamSports", "shounen"],
    score: [8.1, 585],
    users: [209, 76942, 39427, 3819],
    synopsis:
      "A player whom nobody notices passes the ball to one whom nobody can overlook. Five prodigies stand between them and the top of the country."
  },
  {
    id: 14893,
    title: "Monogatari Series: First Season",
    en: "Monogatari Series: First Season",
    ja: "〈物語〉シリーズ ファーストシーズン",
    synonyms: ["Bakemonogatari"],
    published: ["2006-11-01", "2010-07-28"],
    type: "light_novel",
    volumes: 6,
    chapters: 107,
    authors: [
      ["nisioIsin", "Story"],
      ["vofan", "Art"]
    ],
    magazine: "mephisto",
    genres: ["action", "comedy", "mystery", "romance", "supernatural", "vampire"],
    score: [8.91, 19],
    users: [277, 60775, 16978, 3125],
    synopsis:
      "A boy who was a vampire for one spring keeps running into girls haunted by something with a name and a story. Most of it is talk, and nearly all the talk is beside the point until it is not."
  },
  {
    id: 16765,
    title: "Kingdom",
    en: "Kingdom",
    ja: "キングダム",
    published: ["2006-01-26"],
    status: "currently_publishing",
    volumes: 0,
    chapters: 0,
    authors: [["haraYasuhisa"]],
    magazine: "youngJump",
    genres: ["action", "awardWinning", "historical", "military", "seinen"],
    score: [9.01, 12],
    users: [53, 179533, 64772, 15745],
    synopsis:
      "A war orphan means to become the greatest general under heaven and meets the boy who means to unite it. China has seven states, and every battle takes volumes."
  },
  {
    id: 21479,
    title: "Sword Art Online",
    en: "Sword Art Online",
    ja: "ソードアート・オンライン",
    synonyms: ["SAO"],
    published: ["2009-04-10"],
    type: "light_novel",
    status: "currently_publishing",
    volumes: 0,
    chapters: 0,
    authors: [
      ["kawaharaReki", "Story"],
      ["bunbun", "Art"]
    ],
    genres: ["action", "adventure", "fantasy", "romance", "videoGame"],
    score: [7.95, 860],
    users: [262, 63707, 24640, 3490],
    synopsis:
      "Ten thousand players are locked into a game in which death is real. The first volume tells the end of it, and those that follow ask what it leaves behind."
  },
  {
    id: 23390,
    title: "Shingeki no Kyojin",
    en: "Attack on Titan",
    ja: "進撃の巨人",
    synonyms: ["SnK", "AoT"],
    published: ["2009-09-09", "2021-04-09"],
    volumes: 34,
    chapters: 141,
    authors: [["isayamaHajime"]],
    magazine: "bessatsuShounenMagazine",
    genres: ["action", "awardWinning", "drama", "gore", "military", "survival", "shounen"],
    score: [8.55, 120],
    users: [2, 666675, 415004, 69117],
    synopsis:
      "Behind high walls the last of mankind believe themselves safe, until a head appears above the gate. Whoever asks where the giants come from will not like the answer."
  },
  {
    id: 25297,
    title: "Prison School",
    en: "Prison School",
    ja: "監獄学園",
    synonyms: ["Kangoku Gakuen"],
    published: ["2011-02-07", "2017-12-25"],
    volumes: 28,
    chapters: 278,
    nsfw: "gray",
    authors: [["hiramotoAkira"]],
    magazine: "youngMagazineWeekly",
    genres: ["awardWinning", "comedy", "romance", "ecchi", "gagHumor", "school", "seinen"],
    score: [7.48, 3072],
    users: [86, 140077, 62868, 5221],
    synopsis:
      "Five boys are admitted to a girls' school of a thousand and are behind bars within a week. Their escape is planned with a gravity out of all proportion."
  },
  {
    id: 35243,
    title: "Haikyuu!!",
    en: "Haikyu!!",
    ja: "ハイキュー!!",
    synonyms: ["HQ!!"],
    published: ["2012-02-20", "2020-07-20"],
    volumes: 45,
    chapters: 407,
    authors: [["furudateHaruichi"]],
    magazine: "shounenJumpWeekly",
    genres: ["awardWinning", "sports", "school", "teamSports", "shounen"],
    score: [8.85, 30],
    users: [34, 225229, 109453, 18957],
    synopsis:
      "Too short for the net, he jumps; too proud for a team, the other sets. The former rivals end up in the same gymnasium and take a fallen school back to the big stage."
  },
  {
    id: 40171,
    title: "Yahari Ore no Seishun Love Comedy wa Machigatteiru.",
    en: "My Youth Romantic Comedy Is Wrong, As I Expected",
    ja: "やはり俺の青春ラブコメはまちがっている。",
    synonyms: ["Oregairu"],
    published: ["2011-03-18", "2021-04-20"],
    type: "light_novel",
    volumes: 18,
    chapters: 168,
    authors: [
      ["watariWataru", "Story"],
      ["ponkan8", "Art"]
    ],
    genres: ["comedy", "romance", "lovePolygon", "school"],
    score: [8.74, 50],
    users: [224, 72152, 20374, 4126],
    synopsis:
      "An essay on the lie of youth earns its author a place in a club for helping others. He goes on being right about people, until he wants something himself."
  },
  {
    id: 44347,
    title: "One Punch-Man",
    en: "One-Punch Man",
    ja: "ワンパンマン",
    synonyms: ["OPM"],
    published: ["2012-06-14"],
    status: "currently_publishing",
    volumes: 0,
    chapters: 0,
    authors: [
      ["murataYusuke", "Art"],
      ["one", "Story"]
    ],
    magazine: "tonariNoYoungJump",
    genres: ["action", "comedy", "parody", "superPower", "seinen"],
    score: [8.73, 53],
    users: [7, 496861, 244672, 39081],
    synopsis:
      "A hero by hobby wins every fight with a single blow and is bored to tears. Around him an association of professionals takes danger, rankings and itself very seriously."
  },
  {
    id: 44489,
    title: "Houseki no Kuni",
    en: "Land of the Lustrous",
    ja: "宝石の国",
    synonyms: ["Country of Jewels"],
    published: ["2012-10-25", "2024-04-25"],
    volumes: 13,
    chapters: 108,
    authors: [["ichikawaHaruko"]],
    magazine: "afternoon",
    genres: ["action", "drama", "fantasy", "anthropomorphic", "seinen"],
    score: [8.97, 15],
    users: [82, 143453, 47967, 15884],
    synopsis:
      "Immortal gems defend themselves against hunters from the moon. The most fragile of them is replaced piece by piece over the centuries, until one must ask who is still there."
  },
  {
    id: 48621,
    title: "Koe no Katachi",
    en: "A Silent Voice (One-shot)",
    ja: "聲の形",
    published: ["2011-01-08", "2011-01-08"],
    type: "one_shot",
    volumes: 0,
    chapters: 1,
    authors: [["ooimaYoshitoki"]],
    magazine: "bessatsuShounenMagazine",
    genres: ["drama", "school", "shounen"],
    score: [8.38, 236],
    users: [267, 61882, 35365, 690],
    synopsis:
      "The short story that won a prize and frightened its publisher for years. A deaf girl changes schools, and her new class shows what it is made of."
  },
  {
    id: 56805,
    title: "Koe no Katachi",
    en: "A Silent Voice",
    ja: "聲の形",
    synonyms: ["The Shape of Voice"],
    published: ["2013-08-07", "2014-11-19"],
    volumes: 7,
    chapters: 64,
    authors: [["ooimaYoshitoki"]],
    magazine: "shounenMagazineWeekly",
    genres: ["awardWinning", "drama", "shounen"],
    score: [8.86, 29],
    users: [26, 275429, 149811, 22554],
    synopsis:
      "He was the worst of those who tormented the deaf girl, and the one who was blamed for it. Seven volumes are needed for an apology that deserves the name."
  },
  {
    id: 72303,
    title: "Douluo Dalu",
    en: "Soul Land",
    ja: "斗罗大陆",
    synonyms: ["Combat Continent", "斗罗大陆"],
    published: ["2011"],
    type: "manhua",
    status: "currently_publishing",
    volumes: 0,
    chapters: 0,
    authors: [
      ["tangJiaSanShao", "Story"],
      ["muFengChun", "Art"]
    ],
    genres: ["fantasy", "reincarnation"],
    score: [7.85, 1140],
    users: [667, 28087, 10898, 837],
    synopsis:
      "A master of hidden weapons is born again in a world where everybody has a spirit, and his is a blade of grass. He plans to make it the strongest all the same."
  },
  {
    id: 74697,
    title: "Re:Zero kara Hajimeru Isekai Seikatsu",
    en: "Re:ZERO -Starting Life in Another World-",
    ja: "Re:ゼロから始める異世界生活",
    synonyms: ["Re:Zero"],
    published: ["2014-01-23"],
    type: "light_novel",
    status: "currently_publishing",
    volumes: 0,
    chapters: 0,
    authors: [
      ["nagatsukiTappei", "Story"],
      ["ootsukaShinichirou", "Art"]
    ],
    genres: ["drama", "fantasy", "suspense", "isekai", "psychological", "timeTravel"],
    score: [8.79, 42],
    users: [223, 72469, 22222, 5652],
    synopsis:
      "On the way home from a shop Subaru is moved to another world, where his only gift is to return after dying. He remembers every failure, and nobody else does."
  },
  {
    id: 91941,
    title: "Made in Abyss",
    en: "Made in Abyss",
    ja: "メイドインアビス",
    published: ["2012-10-20"],
    status: "currently_publishing",
    volumes: 0,
    chapters: 0,
    authors: [["tsukushiAkihito"]],
    magazine: "webComicGamma",
    genres: ["adventure", "drama", "fantasy", "sciFi"],
    score: [8.74, 51],
    users: [62, 167513, 56030, 10426],
    synopsis:
      "An orphan and a mechanical boy descend into a chasm from which nobody returns whole. The drawings are round and friendly, the depths are not."
  },
  {
    id: 92559,
    title: "Diamond no Ace Act II",
    en: "Ace of the Diamond Act II",
    ja: "ダイヤのA act2",
    synonyms: ["Daiya no Ace: Act II"],
    published: ["2015-08-19", "2022-10-26"],
    volumes: 34,
    chapters: 309,
    authors: [["terajimaYuuji"]],
    magazine: "shounenMagazineWeekly",
    genres: ["sports", "school", "teamSports", "shounen"],
    score: [8.56, 115],
    users: [1127, 17509, 7831, 1055],
    synopsis:
      "The second year begins for Eijun with the spring invitational and a new catcher in the wings. He has one more summer beside the captain he wants to be worthy of."
  },
  {
    id: 96792,
    title: "Kimetsu no Yaiba",
    en: "Demon Slayer: Kimetsu no Yaiba",
    ja: "鬼滅の刃",
    synonyms: ["KnY"],
    published: ["2016-02-15", "2020-05-18"],
    volumes: 23,
    chapters: 207,
    authors: [["gotougeKoyoharu"]],
    magazine: "shounenJumpWeekly",
    genres: ["action", "fantasy", "historical", "shounen"],
    score: [8.15, 506],
    users: [9, 459389, 292076, 28386],
    synopsis:
      "A charcoal burner's son loses his family to a demon and keeps only a sister who has become one. He learns the sword without ever learning to hate."
  },
  {
    id: 110834,
    title: "Star Strings yori",
    en: "From Star Strings",
    ja: "スターストリングスより",
    published: ["2011-08-14", "2011-08-14"],
    type: "doujinshi",
    volumes: 1,
    chapters: 1,
    authors: [["tsukushiAkihito"]],
    genres: ["adventure", "drama", "suspense", "psychological"],
    score: [7.7, 1744],
    users: [3628, 6007, 3106, 149],
    synopsis:
      "A picture story published by the artist himself: a girl searches a snowbound country for somebody to give a present to. Quiet, coloured and a good deal sadder than its cover."
  },
  {
    id: 112115,
    title: "Act-age",
    en: "Act-Age",
    ja: "アクタージュ act-age",
    published: ["2018-01-22", "2020-08-11"],
    status: "discontinued",
    volumes: 12,
    chapters: 123,
    authors: [
      ["matsukiTatsuya", "Story"],
      ["usazakiShiro", "Art"]
    ],
    magazine: "shounenJumpWeekly",
    genres: ["drama", "performingArts", "showbiz", "shounen"],
    score: [8.23, 379],
    users: [327, 51984, 15960, 1743],
    synopsis:
      "A girl who supports her siblings relives her own memories on stage so deeply that it frightens the judges. A director bets on her, and the series breaks off in the middle."
  },
  {
    id: 116778,
    title: "Chainsaw Man",
    en: "Chainsaw Man",
    ja: "チェンソーマン",
    synonyms: ["CSM"],
    published: ["2018-12-03"],
    status: "currently_publishing",
    volumes: 0,
    chapters: 0,
    authors: [["fujimotoTatsuki"]],
    magazine: "shounenJumpPlus",
    genres: ["action", "awardWinning", "fantasy", "gore", "urbanFantasy", "shounen"],
    score: [8.7, 58],
    users: [3, 647498, 393895, 84155],
    synopsis:
      "A boy with his father's debts and a small devil for a dog dreams of bread with jam. Killed and put together again, he works for people who hunt what people fear."
  },
  {
    id: 121496,
    title: "Solo Leveling",
    en: "Solo Leveling",
    ja: "俺だけレベルアップな件",
    synonyms: ["Na Honjaman Level Up", "나 혼자만 레벨업"],
    published: ["2018-03-04", "2023-05-31"],
    type: "manhwa",
    volumes: 0,
    chapters: 201,
    authors: [
      ["chugong", "Story"],
      ["jangSungRak", "Art"]
    ],
    magazine: "kakaopage",
    genres: ["action", "adventure", "fantasy", "adultCast", "urbanFantasy"],
    score: [8.66, 68],
    users: [5, 530672, 315417, 45336],
    synopsis:
      "The weakest of all hunters survives a temple that should have killed him and starts to see messages nobody else can see. From then on he gets stronger, alone."
  },
  {
    id: 122663,
    title: "Tower of God",
    en: "Tower of God",
    ja: "神之塔",
    synonyms: ["Sin-ui Tap", "신의 탑"],
    published: ["2010-07-05"],
    type: "manhwa",
    status: "currently_publishing",
    volumes: 0,
    chapters: 0,
    authors: [["siu"]],
    magazine: "naverWebtoon",
    genres: ["action", "adventure", "drama", "fantasy", "mystery"],
    score: [8.37, 242],
    users: [39, 197312, 82814, 12649],
    synopsis:
      "A boy who has known nothing but one girl follows her into a tower whose every floor is a trial. Those who climb want everything, and he only wants to ask her why she left."
  },
  {
    id: 126287,
    title: "Sousou no Frieren",
    en: "Frieren: Beyond Journey's End",
    ja: "葬送のフリーレン",
    synonyms: ["Frieren at the Funeral"],
    published: ["2020-04-28"],
    status: "currently_publishing",
    volumes: 0,
    chapters: 0,
    authors: [
      ["yamadaKanehito", "Story"],
      ["abeTsukasa", "Art"]
    ],
    magazine: "shounenSunday",
    genres: ["adventure", "awardWinning", "drama", "fantasy", "shounen"],
    score: [8.82, 35],
    users: [93, 134754, 42979, 8203],
    synopsis:
      "What does an elf do after the adventure, when those she shared it with grow old and die? She sets out on the same road again to learn whom she had been travelling with."
  },
  {
    id: 126479,
    title: "Mikkakan no Koufuku",
    en: "Three Days of Happiness",
    ja: "三日間の幸福",
    synonyms: ["I Sold My Life for Ten Thousand Yen per Year"],
    published: ["2013-12-25", "2013-12-25"],
    type: "novel",
    volumes: 1,
    chapters: 15,
    authors: [["miakiSugaru", "Story"]],
    genres: ["drama"],
    score: [8.88, 25],
    users: [557, 33100, 10865, 1400],
    synopsis:
      "A student sells the rest of his life and learns what it was worth to the buyer. An observer is sent to watch his last months, and she has nothing else to do either."
  },
  {
    id: 138673,
    title: "Look Back",
    en: "Look Back",
    ja: "ルックバック",
    published: ["2021-07-19", "2021-07-19"],
    volumes: 1,
    chapters: 1,
    authors: [["fujimotoTatsuki"]],
    magazine: "shounenJumpPlus",
    genres: ["drama", "shounen"],
    score: [8.39, 222],
    users: [137, 104992, 68870, 3367],
    synopsis:
      "Two girls draw for the same school paper, one vain, one shut in her room, and one day they draw together. A short book about work, rivalry and the doors one slides a page under."
  },
  {
    id: 143441,
    title: "Omniscient Reader's Viewpoint",
    en: "Omniscient Reader's Viewpoint",
    ja: "전지적 독자 시점",
    synonyms: ["Jeonjijeok Dokja Sijeom"],
    published: ["2022-01-20", "2023-09-11"],
    type: "novel",
    volumes: 20,
    chapters: 105,
    authors: [["singNSong", "Story"]],
    genres: ["action", "adventure", "fantasy", "urbanFantasy"],
    score: [9.02, 11],
    users: [1130, 17480, 7690, 1653],
    synopsis:
      "The only reader of an endless novel finds its first scene happening in his underground train. He knows how it goes on, which is not the same as knowing how to live in it."
  }
]
