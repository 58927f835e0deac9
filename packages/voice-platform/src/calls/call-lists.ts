import { loopTurn } from '@heyline/kit/loop-turn'
import type { Call, Page } from '@heyline/platform-client'
import type { CallArchive, CallFilter, CallKey, CallPageFilter } from './call-archive.js'
import type { CallRow } from './call-row.js'
import { listedCall } from './listed-call.js'
import { ShownCalls } from './shown-calls.js'

/** How many calls are in memory at once: what was said may be long. */
const PART = 50

/** Calls as the texts of their JSON. */
export interface CallTexts {
  first: string[]
  /** The first and the others, where there are more. They are read when they are taken. */
  parts?: AsyncGenerator<string[], void>
}

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
  async list(filter: CallFilter): Promise<CallTexts> {
    return this.#texts(await this.#archive.keys(filter))
  }

  async page(filter: CallPageFilter): Promise<CallTexts & Pick<Page<Call>, 'metadata'>> {
    const { results, metadata } = await this.#archive.pageOfKeys(filter)
    return { ...(await this.#texts(results)), metadata }
  }

  async #texts(keys: readonly CallKey[]): Promise<CallTexts> {
    const first = await this.#part(keys.slice(0, PART))
    return keys.length > PART ? { first, parts: this.#parts(first, keys.slice(PART)) } : { first }
  }

  async *#parts(first: string[], keys: readonly CallKey[]): AsyncGenerator<string[], void> {
    yield first
    for (let from = 0; from < keys.length; from += PART) {
      await loopTurn()
      yield await this.#part(keys.slice(from, from + PART))
    }
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
