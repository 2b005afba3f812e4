/**
 * The names that many works share: genres, studios, magazines, authors; and values that are made from a number.
 *
 * @since 0.2.0
 */
import type { Named } from "../Dataset.js"

const genre = {
  action: { id: 1, name: "Action" },
  adventure: { id: 2, name: "Adventure" },
  racing: { id: 3, name: "Racing" },
  comedy: { id: 4, name: "Comedy" },
  avantGarde: { id: 5, name: "Avant Garde" },
  mythology: { id: 6, name: "Mythology" },
  mystery: { id: 7, name: "Mystery" },
  drama: { id: 8, name: "Drama" },
  ecchi: { id: 9, name: "Ecchi" },
  fantasy: { id: 10, name: "Fantasy" },
  strategyGame: { id: 11, name: "Strategy Game" },
  hentai: { id: 12, name: "Hentai" },
  historical: { id: 13, name: "Historical" },
  horror: { id: 14, name: "Horror" },
  martialArts: { id: 17, name: "Martial Arts" },
  mecha: { id: 18, name: "Mecha" },
  music: { id: 19, name: "Music" },
  parody: { id: 20, name: "Parody" },
  samurai: { id: 21, name: "Samurai" },
  romance: { id: 22, name: "Romance" },
  school: { id: 23, name: "School" },
  sciFi: { id: 24, name: "Sci-Fi" },
  shoujo: { id: 25, name: "Shoujo" },
  shounen: { id: 27, name: "Shounen" },
  space: { id: 29, name: "Space" },
  sports: { id: 30, name: "Sports" },
  superPower: { id: 31, name: "Super Power" },
  vampire: { id: 32, name: "Vampire" },
  harem: { id: 35, name: "Harem" },
  sliceOfLife: { id: 36, name: "Slice of Life" },
  supernatural: { id: 37, name: "Supernatural" },
  military: { id: 38, name: "Military" },
  detective: { id: 39, name: "Detective" },
  psychological: { id: 40, name: "Psychological" },
  awardWinning: { id: 46, name: "Award Winning" },
  adultCast: { id: 50, name: "Adult Cast" },
  anthropomorphic: { id: 51, name: "Anthropomorphic" },
  cgdct: { id: 52, name: "CGDCT" },
  gagHumor: { id: 57, name: "Gag Humor" },
  gore: { id: 58, name: "Gore" },
  highStakesGame: { id: 59, name: "High Stakes Game" },
  isekai: { id: 62, name: "Isekai" },
  iyashikei: { id: 63, name: "Iyashikei" }
} satisfies Record<string, Named>

/** Genres, themes and demographics of anime, with the service's ids. */
export const animeGenre = {
  ...genre,
  suspense: { id: 41, name: "Suspense" },
  seinen: { id: 42, name: "Seinen" },
  lovePolygon: { id: 64, name: "Love Polygon" },
  otakuCulture: { id: 69, name: "Otaku Culture" },
  survival: { id: 76, name: "Survival" },
  teamSports: { id: 77, name: "Team Sports" },
  timeTravel: { id: 78, name: "Time Travel" },
  videoGame: { id: 79, name: "Video Game" },
  urbanFantasy: { id: 82, name: "Urban Fantasy" }
} satisfies Record<string, Named>

/** Genres, themes and demographics of manga; some ids differ from those of anime. */
export const mangaGenre = {
  ...genre,
  seinen: { id: 41, name: "Seinen" },
  suspense: { id: 45, name: "Suspense" },
  childcare: { id: 53, name: "Childcare" },
  lovePolygon: { id: 64, name: "Love Polygon" },
  performingArts: { id: 71, name: "Performing Arts" },
  reincarnation: { id: 73, name: "Reincarnation" },
  showbiz: { id: 76, name: "Showbiz" },
  survival: { id: 77, name: "Survival" },
  teamSports: { id: 78, name: "Team Sports" },
  timeTravel: { id: 79, name: "Time Travel" },
  videoGame: { id: 80, name: "Video Game" },
  urbanFantasy: { id: 83, name: "Urban Fantasy" }
} satisfies Record<string, Named>

/** Animation studios. */
export const studio = {
  pierrot: { id: 1, name: "Pierrot" },
  kyotoAnimation: { id: 2, name: "Kyoto Animation" },
  bones: { id: 4, name: "Bones" },
  gainax: { id: 6, name: "Gainax" },
  jcstaff: { id: 7, name: "J.C.Staff" },
  artland: { id: 8, name: "Artland" },
  productionIG: { id: 10, name: "Production I.G" },
  madhouse: { id: 11, name: "Madhouse" },
  sunrise: { id: 14, name: "Sunrise" },
  toeiAnimation: { id: 18, name: "Toei Animation" },
  studioGhibli: { id: 21, name: "Studio Ghibli" },
  xebec: { id: 27, name: "Xebec" },
  olm: { id: 28, name: "OLM" },
  gallop: { id: 36, name: "Gallop" },
  studioDeen: { id: 37, name: "Studio Deen" },
  arms: { id: 38, name: "Arms" },
  satelight: { id: 41, name: "Satelight" },
  ufotable: { id: 43, name: "ufotable" },
  shaft: { id: 44, name: "Shaft" },
  a1Pictures: { id: 56, name: "A-1 Pictures" },
  tokyoMovieShinsha: { id: 65, name: "Tokyo Movie Shinsha" },
  dogaKobo: { id: 95, name: "Doga Kobo" },
  tatsunokoProduction: { id: 103, name: "Tatsunoko Production" },
  brainsBase: { id: 112, name: "Brain's Base" },
  tnk: { id: 120, name: "TNK" },
  paWorks: { id: 132, name: "P.A. Works" },
  kinemaCitrus: { id: 290, name: "Kinema Citrus" },
  comixWaveFilms: { id: 291, name: "CoMix Wave Films" },
  silverLink: { id: 300, name: "SILVER LINK." },
  whiteFox: { id: 314, name: "White Fox" },
  mappa: { id: 569, name: "MAPPA" },
  trigger: { id: 803, name: "Trigger" },
  witStudio: { id: 858, name: "Wit Studio" },
  orange: { id: 1109, name: "Orange" },
  bandaiNamcoPictures: { id: 1258, name: "Bandai Namco Pictures" },
  scienceSaru: { id: 1591, name: "Science SARU" }
} satisfies Record<string, Named>

/** Magazines in which manga were serialized. */
export const magazine = {
  bigComicOriginal: { id: 1, name: "Big Comic Original" },
  youngAnimal: { id: 2, name: "Young Animal" },
  bigComicSpirits: { id: 3, name: "Big Comic Spirits" },
  ultraJump: { id: 4, name: "Ultra Jump" },
  shounenGangan: { id: 9, name: "Shounen Gangan" },
  morning: { id: 10, name: "Morning" },
  afternoon: { id: 12, name: "Afternoon" },
  shounenJumpWeekly: { id: 83, name: "Shounen Jump (Weekly)" },
  bessatsuShounenMagazine: { id: 450, name: "Bessatsu Shounen Magazine" },
  akamaruJump: { id: 607, name: "Akamaru Jump" },
  animage: { id: 614, name: "Animage" },
  cookie: { id: 621, name: "Cookie" },
  dengekiDaioh: { id: 628, name: "Dengeki Daioh" },
  gessan: { id: 635, name: "Gessan" },
  hanaToYume: { id: 642, name: "Hana to Yume" },
  kakaopage: { id: 649, name: "KakaoPage" },
  mephisto: { id: 656, name: "Mephisto" },
  naverWebtoon: { id: 663, name: "Naver Webtoon" },
  shounenJumpPlus: { id: 670, name: "Shounen Jump+" },
  shounenMagazineWeekly: { id: 677, name: "Shounen Magazine (Weekly)" },
  shounenSunday: { id: 684, name: "Shounen Sunday" },
  tonariNoYoungJump: { id: 691, name: "Tonari no Young Jump" },
  webComicGamma: { id: 698, name: "Web Comic Gamma" },
  youngJump: { id: 705, name: "Young Jump" },
  youngKingOURs: { id: 712, name: "Young King OURs" },
  youngMagazineWeekly: { id: 719, name: "Young Magazine (Weekly)" },
  youngMagazineKaizokuban: { id: 726, name: "Young Magazine Kaizokuban" }
} satisfies Record<string, Named>

/** A writer or an artist. A pen name of one word is the last name. */
export interface Person {
  readonly id: number
  readonly first_name: string
  readonly last_name: string
}

/** Authors, by family name. */
export const person = {
  urasawaNaoki: { id: 1867, first_name: "Naoki", last_name: "Urasawa" },
  miuraKentarou: { id: 1868, first_name: "Kentarou", last_name: "Miura" },
  miyazakiHayao: { id: 1870, first_name: "Hayao", last_name: "Miyazaki" },
  arakawaHiromu: { id: 1874, first_name: "Hiromu", last_name: "Arakawa" },
  kishimotoMasashi: { id: 1879, first_name: "Masashi", last_name: "Kishimoto" },
  odaEiichiro: { id: 1881, first_name: "Eiichiro", last_name: "Oda" },
  obataTakeshi: { id: 1888, first_name: "Takeshi", last_name: "Obata" },
  watsukiNobuhiro: { id: 1890, first_name: "Nobuhiro", last_name: "Watsuki" },
  tezukaOsamu: { id: 1893, first_name: "Osamu", last_name: "Tezuka" },
  togashiYoshihiro: { id: 1901, first_name: "Yoshihiro", last_name: "Togashi" },
  takayaNatsuki: { id: 1908, first_name: "Natsuki", last_name: "Takaya" },
  inoueTakehiko: { id: 1911, first_name: "Takehiko", last_name: "Inoue" },
  sorachiHideaki: { id: 1916, first_name: "Hideaki", last_name: "Sorachi" },
  azumaKiyohiko: { id: 1939, first_name: "Kiyohiko", last_name: "Azuma" },
  uminoChica: { id: 1985, first_name: "Chica", last_name: "Umino" },
  shirowMasamune: { id: 2007, first_name: "Masamune", last_name: "Shirow" },
  yazawaAi: { id: 2012, first_name: "Ai", last_name: "Yazawa" },
  nightowYasuhiro: { id: 2065, first_name: "Yasuhiro", last_name: "Nightow" },
  hiranoKouta: { id: 2095, first_name: "Kouta", last_name: "Hirano" },
  otomoKatsuhiro: { id: 2102, first_name: "Katsuhiro", last_name: "Otomo" },
  ohbaTsugumi: { id: 2111, first_name: "Tsugumi", last_name: "Ohba" },
  urushibaraYuki: { id: 2201, first_name: "Yuki", last_name: "Urushibara" },
  okuHiroya: { id: 2310, first_name: "Hiroya", last_name: "Oku" },
  yukimuraMakoto: { id: 2525, first_name: "Makoto", last_name: "Yukimura" },
  arakiHirohiko: { id: 2619, first_name: "Hirohiko", last_name: "Araki" },
  okamotoLynn: { id: 2781, first_name: "Lynn", last_name: "Okamoto" },
  asanoInio: { id: 2848, first_name: "Inio", last_name: "Asano" },
  terajimaYuuji: { id: 3013, first_name: "Yuuji", last_name: "Terajima" },
  kaitaniShinobu: { id: 3021, first_name: "Shinobu", last_name: "Kaitani" },
  hayashidaQ: { id: 3190, first_name: "Q", last_name: "Hayashida" },
  murataYusuke: { id: 3293, first_name: "Yusuke", last_name: "Murata" },
  nisioIsin: { id: 4321, first_name: "", last_name: "NISIO ISIN" },
  hasekuraIsuna: { id: 4401, first_name: "Isuna", last_name: "Hasekura" },
  ayakuraJuu: { id: 4402, first_name: "Juu", last_name: "Ayakura" },
  fujimakiTadatoshi: { id: 5171, first_name: "Tadatoshi", last_name: "Fujimaki" },
  vofan: { id: 5571, first_name: "", last_name: "VOFAN" },
  yoshikawaEiji: { id: 6603, first_name: "Eiji", last_name: "Yoshikawa" },
  hiramotoAkira: { id: 7421, first_name: "Akira", last_name: "Hiramoto" },
  haraYasuhisa: { id: 8457, first_name: "Yasuhisa", last_name: "Hara" },
  furudateHaruichi: { id: 9001, first_name: "Haruichi", last_name: "Furudate" },
  kawaharaReki: { id: 9513, first_name: "Reki", last_name: "Kawahara" },
  bunbun: { id: 9514, first_name: "", last_name: "BUNBUN" },
  ooimaYoshitoki: { id: 9911, first_name: "Yoshitoki", last_name: "Ooima" },
  isayamaHajime: { id: 11705, first_name: "Hajime", last_name: "Isayama" },
  one: { id: 15223, first_name: "", last_name: "ONE" },
  ichikawaHaruko: { id: 15465, first_name: "Haruko", last_name: "Ichikawa" },
  watariWataru: { id: 18031, first_name: "Wataru", last_name: "Watari" },
  ponkan8: { id: 18032, first_name: "", last_name: "Ponkan⑧" },
  tsukushiAkihito: { id: 26537, first_name: "Akihito", last_name: "Tsukushi" },
  tangJiaSanShao: { id: 35201, first_name: "", last_name: "Tang Jia San Shao" },
  muFengChun: { id: 35202, first_name: "Feng Chun", last_name: "Mu" },
  nagatsukiTappei: { id: 38997, first_name: "Tappei", last_name: "Nagatsuki" },
  ootsukaShinichirou: { id: 38998, first_name: "Shinichirou", last_name: "Ootsuka" },
  fujimotoTatsuki: { id: 39841, first_name: "Tatsuki", last_name: "Fujimoto" },
  gotougeKoyoharu: { id: 43023, first_name: "Koyoharu", last_name: "Gotouge" },
  matsukiTatsuya: { id: 45841, first_name: "Tatsuya", last_name: "Matsuki" },
  usazakiShiro: { id: 45842, first_name: "Shiro", last_name: "Usazaki" },
  siu: { id: 47735, first_name: "", last_name: "SIU" },
  studioGaga: { id: 49592, first_name: "", last_name: "Studio Gaga" },
  yamadaKanehito: { id: 50171, first_name: "Kanehito", last_name: "Yamada" },
  chugong: { id: 50915, first_name: "", last_name: "Chugong" },
  jangSungRak: { id: 50916, first_name: "Sung-rak", last_name: "Jang" },
  abeTsukasa: { id: 52203, first_name: "Tsukasa", last_name: "Abe" },
  miakiSugaru: { id: 52401, first_name: "Sugaru", last_name: "Miaki" },
  singNSong: { id: 58101, first_name: "", last_name: "sing N song" }
} satisfies Record<string, Person>

/** The cover of a work, on a host that does not exist. */
export const pictureOf = (
  kind: "anime" | "manga",
  id: number
): { readonly medium: string; readonly large: string } => ({
  medium: `https://images.example/${kind}/${id}.jpg`,
  large: `https://images.example/${kind}/${id}l.jpg`
})

/** Seconds since 1970 in the service's time format. */
export const moment = (seconds: number): string => `${new Date(seconds * 1000).toISOString().slice(0, 19)}+00:00`

/** When a record was created and last updated: any times, as long as they stay the same. */
export const stampsOf = (id: number): { readonly created_at: string; readonly updated_at: string } => ({
  created_at: moment(1_136_073_600 + (id % 65_521) * 9_000),
  updated_at: moment(1_735_689_600 + ((id * 7_919) % 33_000_000))
})

/** The season of a day; `undefined` if the date has no month. */
export const seasonOf = (
  date: string
): { readonly year: number; readonly season: "winter" | "spring" | "summer" | "fall" } | undefined => {
  const month = Number(date.slice(5, 7))
  if (month === 0) {
    return undefined
  }
  const season = month < 4 ? "winter" : month < 7 ? "spring" : month < 10 ? "summer" : "fall"
  return { year: Number(date.slice(0, 4)), season }
}
