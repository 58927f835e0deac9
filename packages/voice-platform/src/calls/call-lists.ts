import type { Call, Page } from '@heyline/platform-client'
import { type ListedTexts, textsInParts } from '../resources/texts-in-parts.js'
import { SharedReads } from '../work/shared-reads.js'
import {
  type CallArchive,
  type CallFilter,
  type CallKey,
  type CallPageFilter,
  isOfCustomer,
} from './call-archive.js'
import { type CallRow, LISTED_COLUMNS, type ListedCallRow, OUTLINE_COLUMNS } from './call-row.js'
import { listedCall, listedOutline } from './listed-call.js'
import { ShownCalls, type Text } from './shown-calls.js'

const ENCODER = new TextEncoder()

type Listed = ListedTexts<Text>
export type ListedPage = Listed & Pick<Page<Call>, 'metadata'>

/** What lists show of each call. */
export interface Shape {
  /** Of a `ListedCallRow`, for `select`. */
  columns: string
  /** Writes its JSON. Of an ended call without a recording it must be the same, whenever it is asked. */
  write(row: ListedCallRow): string
}

/** Whole calls, as `view` shows each. */
export const wholeCalls = (view: (row: CallRow) => Call): Shape => ({
  columns: LISTED_COLUMNS,
  write: (row) => listedCall(row, view),
})

/** Calls without their large fields. */
export const OUTLINES: Shape = { columns: OUTLINE_COLUMNS, write: listedOutline }

/**
 * Lists of calls, each call as its JSON in UTF-8. The same calls are asked for again and again, and an ended one hardly changes:
 * of those that were shown lately, only the version is read. What several ask for at the same time is read once.
 */
export class CallLists {
  readonly #archive: CallArchive
  readonly #shape: Shape
  readonly #shown: ShownCalls
  readonly #lists = new SharedReads<Listed>()
  readonly #pages = new SharedReads<ListedPage>()

  constructor(archive: CallArchive, shape: Shape, shown = new ShownCalls()) {
    this.#archive = archive
    this.#shape = shape
    this.#shown = shown
  }

  /** Newest first. */
  list(filter: CallFilter): Promise<Listed> {
    return this.#lists.read(JSON.stringify(filter), async () => this.#texts(await this.#archive.keys(filter)))
  }

  page(filter: CallPageFilter): Promise<ListedPage> {
    return this.#pages.read(JSON.stringify(filter), async () => {
      if (isOfCustomer(filter)) {
        const { results, metadata } = await this.#archive.pageOfRows(filter, this.#shape.columns)
        return { first: results.map((row) => this.#textOf(row)), metadata }
      }
      const { results, metadata } = await this.#archive.pageOfKeys(filter)
      return { ...(await this.#texts(results)), metadata }
    })
  }

  #texts(keys: readonly CallKey[]): Promise<Listed> {
    return textsInParts(keys, (some) => this.#part(some))
  }

  /** A call that is deleted meanwhile is left out. One that was changed meanwhile is shown as it is now. */
  async #part(keys: readonly CallKey[]): Promise<Text[]> {
    const texts = new Map<string, Text>()
    for (const { id, version } of keys) {
      const text = this.#shown.find(id, version)
      if (text !== undefined) texts.set(id, text)
    }
    const missing = keys.flatMap(({ id }) => (texts.has(id) ? [] : [id]))
    for (const row of await this.#archive.rows(missing, this.#shape.columns)) {
      const text = this.#written(row)
      if (row.version !== null) this.#shown.keep(row.id, row.version, text)
      texts.set(row.id, text)
    }
    return keys.flatMap(({ id }) => texts.get(id) ?? [])
  }

  /** It is not kept: hardly one of a customer's calls is asked for again soon, and those that are would have to make room for it. */
  #textOf(row: ListedCallRow & CallKey): Text {
    return this.#shown.find(row.id, row.version) ?? this.#written(row)
  }

  #written({ version: _, ...row }: ListedCallRow & CallKey): Text {
    return ENCODER.encode(this.#shape.write(row))
  }
}
