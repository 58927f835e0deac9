import type { Call, Page } from '@heyline/platform-client'
import { type ListedTexts, textsInParts } from '../resources/texts-in-parts.js'
import type { CallArchive, CallFilter, CallKey, CallPageFilter } from './call-archive.js'
import type { CallRow } from './call-row.js'
import { listedCall } from './listed-call.js'
import { ShownCalls } from './shown-calls.js'

/**
 * Lists of whole calls, each call as the text of its JSON. The same calls are asked for again and again, and an ended one hardly changes:
 * of those that were shown lately, only the version is read.
 */
export class CallLists {
  readonly #archive: CallArchive
  readonly #view: (row: CallRow) => Call
  readonly #shown: ShownCalls

  /** `view` must show the same of an ended call without a recording, whenever it is asked. */
  constructor(archive: CallArchive, view: (row: CallRow) => Call, shown = new ShownCalls()) {
    this.#archive = archive
    this.#view = view
    this.#shown = shown
  }

  /** Newest first. */
  async list(filter: CallFilter): Promise<ListedTexts> {
    return await this.#texts(await this.#archive.keys(filter))
  }

  async page(filter: CallPageFilter): Promise<ListedTexts & Pick<Page<Call>, 'metadata'>> {
    const { results, metadata } = await this.#archive.pageOfKeys(filter)
    return { ...(await this.#texts(results)), metadata }
  }

  #texts(keys: readonly CallKey[]): Promise<ListedTexts> {
    return textsInParts(keys, (some) => this.#part(some))
  }

  /** A call that is deleted meanwhile is left out. One that was changed meanwhile is shown as it is now. */
  async #part(keys: readonly CallKey[]): Promise<string[]> {
    const texts = new Map<string, string>()
    for (const { id, version } of keys) {
      const text = this.#shown.find(id, version)
      if (text !== undefined) texts.set(id, text)
    }
    const rows = await this.#archive.listed(keys.flatMap(({ id }) => (texts.has(id) ? [] : [id])))
    for (const { version, ...row } of rows) {
      const text = listedCall(row, this.#view)
      texts.set(row.id, text)
      if (version !== null) this.#shown.keep(row.id, version, text)
    }
    return keys.flatMap(({ id }) => texts.get(id) ?? [])
  }
}
