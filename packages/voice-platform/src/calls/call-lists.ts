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
import type { CallRow, ListedCallRow } from './call-row.js'
import { listedCall } from './listed-call.js'
import { ShownCalls, type Text } from './shown-calls.js'

const ENCODER = new TextEncoder()

type Listed = ListedTexts<Text>
type ListedPage = Listed & Pick<Page<Call>, 'metadata'>

/**
 * Lists of whole calls, each call as its JSON in UTF-8. The same calls are asked for again and again, and an ended one hardly changes:
 * of those that were shown lately, only the version is read. What several ask for at the same time is read once.
 */
export class CallLists {
  readonly #archive: CallArchive
  readonly #view: (row: CallRow) => Call
  readonly #shown: ShownCalls
  readonly #lists = new SharedReads<Listed>()
  readonly #pages = new SharedReads<ListedPage>()

  /** `view` must show the same of an ended call without a recording, whenever it is asked. */
  constructor(archive: CallArchive, view: (row: CallRow) => Call, shown = new ShownCalls()) {
    this.#archive = archive
    this.#view = view
    this.#shown = shown
  }

  /** Newest first. */
  list(filter: CallFilter): Promise<Listed> {
    return this.#lists.read(JSON.stringify(filter), async () => this.#texts(await this.#archive.keys(filter)))
  }

  page(filter: CallPageFilter): Promise<ListedPage> {
    return this.#pages.read(JSON.stringify(filter), async () => {
      if (isOfCustomer(filter)) {
        const { results, metadata } = await this.#archive.pageOfListed(filter)
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
    const rows = await this.#archive.listed(keys.flatMap(({ id }) => (texts.has(id) ? [] : [id])))
    for (const row of rows) texts.set(row.id, this.#made(row))
    return keys.flatMap(({ id }) => texts.get(id) ?? [])
  }

  #textOf(row: ListedCallRow & CallKey): Text {
    return this.#shown.find(row.id, row.version) ?? this.#made(row)
  }

  #made({ version, ...row }: ListedCallRow & CallKey): Text {
    const text = ENCODER.encode(listedCall(row, this.#view))
    if (version !== null) this.#shown.keep(row.id, version, text)
    return text
  }
}
