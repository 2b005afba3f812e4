/** The data of one instance of the service: items that never change, and lists that are written. */
import type {
  AnimeListRecord,
  AnimeRecord,
  Dataset,
  MangaListRecord,
  MangaRecord,
  TopicRecord,
  UserRecord
} from "../../Dataset.js"

export type Item = AnimeRecord | MangaRecord
export type Entry = AnimeListRecord | MangaListRecord

/** Results that are slow to compute and requested page by page. The oldest is dropped first. */
class Memory<A> {
  readonly #results = new Map<string, A>()

  get(key: string, make: () => A): A {
    const previous = this.#results.get(key)
    if (previous !== undefined) {
      return previous
    }
    const result = make()
    this.#results.set(key, result)
    if (this.#results.size > 64) {
      const [oldest] = this.#results.keys()
      if (oldest !== undefined) {
        this.#results.delete(oldest)
      }
    }
    return result
  }

  clear(): void {
    this.#results.clear()
  }
}

/** An item and its position, from 1 on, among all ordered items, including hidden ones. */
export interface Placed<I extends Item> {
  readonly item: I
  readonly place: number
}

/** All items of one kind. */
export class Shelf<I extends Item> {
  readonly items: ReadonlyArray<I>
  readonly byId: ReadonlyMap<number, I>
  /** Rankings, seasons and searches. */
  readonly orders = new Memory<ReadonlyArray<Placed<I>>>()

  constructor(items: ReadonlyArray<I>) {
    this.items = items
    this.byId = new Map(items.map((item) => [item.id, item]))
  }
}

/** An entry and its item. */
export interface Listed<I extends Item, E extends Entry> {
  readonly item: I
  readonly entry: E
}

/** One user's list of one kind, as it was last written. */
export class List<I extends Item, E extends Entry> {
  readonly #entries: Map<number, E>
  /** The filtered and sorted lists, until the next write. */
  readonly orders = new Memory<ReadonlyArray<Listed<I, E>>>()
  /** Suggestions for the user of this list, until the next write. */
  readonly suggestions = new Memory<ReadonlyArray<Placed<I>>>()

  constructor(entries: ReadonlyArray<E>) {
    this.#entries = new Map(entries.map((entry) => [entry.id, entry]))
  }

  get(id: number): E | undefined {
    return this.#entries.get(id)
  }

  entries(): Iterable<E> {
    return this.#entries.values()
  }

  set(entry: E): void {
    this.#entries.set(entry.id, entry)
    this.#forget()
  }

  /** Whether the entry existed. */
  delete(id: number): boolean {
    this.#forget()
    return this.#entries.delete(id)
  }

  #forget(): void {
    this.orders.clear()
    this.suggestions.clear()
  }
}

/** A user, with lists that can be written. */
export class Account {
  readonly record: UserRecord
  #anime: List<AnimeRecord, AnimeListRecord> | undefined
  #manga: List<MangaRecord, MangaListRecord> | undefined

  constructor(record: UserRecord) {
    this.record = record
  }

  get anime(): List<AnimeRecord, AnimeListRecord> {
    return (this.#anime ??= new List(this.record.animeList))
  }

  get manga(): List<MangaRecord, MangaListRecord> {
    return (this.#manga ??= new List(this.record.mangaList))
  }
}

export class Store {
  readonly anime: Shelf<AnimeRecord>
  readonly manga: Shelf<MangaRecord>
  readonly categories: Dataset["categories"]
  readonly topics: ReadonlyArray<TopicRecord>
  readonly topicById: ReadonlyMap<number, TopicRecord>
  readonly topicOrders = new Memory<ReadonlyArray<TopicRecord>>()
  readonly #accountByName: ReadonlyMap<string, Account>
  readonly #accountById: ReadonlyMap<number, Account>

  constructor(dataset: Dataset) {
    this.anime = new Shelf(dataset.anime)
    this.manga = new Shelf(dataset.manga)
    this.categories = dataset.categories
    this.topics = dataset.topics
    this.topicById = new Map(dataset.topics.map((topic) => [topic.id, topic]))
    const accounts = dataset.users.map((record) => new Account(record))
    this.#accountByName = new Map(accounts.map((account) => [account.record.name.toLowerCase(), account]))
    this.#accountById = new Map(accounts.map((account) => [account.record.id, account]))
  }

  /** Names are not case-sensitive. */
  accountNamed(name: string): Account | undefined {
    return this.#accountByName.get(name.toLowerCase())
  }

  user(id: number): UserRecord | undefined {
    return this.#accountById.get(id)?.record
  }
}
