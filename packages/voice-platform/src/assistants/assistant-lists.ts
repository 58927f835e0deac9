import type { Assistant, Page } from '@heyline/platform-client'
import type { PageWindow } from '../resources/list-page.js'
import type { ListWindow } from '../resources/list-window.js'
import { type RowKey, rowParts } from '../resources/row-parts.js'
import { type ListedTexts, textsInParts } from '../resources/texts-in-parts.js'
import type { AssistantStore } from './assistant-store.js'

/** Writes assistants as JSON. */
type Write = (assistants: readonly Assistant[]) => Promise<readonly string[]>

/**
 * Lists of assistants, each as its JSON: a thousand prompts may have hundreds of megabytes, so a long list is read while its client takes it. An
 * assistant that is deleted meanwhile is left out.
 */
export class AssistantLists {
  readonly #store: Pick<AssistantStore, 'keys' | 'pageOfKeys' | 'listed'>

  constructor(store: Pick<AssistantStore, 'keys' | 'pageOfKeys' | 'listed'>) {
    this.#store = store
  }

  /** Newest first. */
  async list(window: ListWindow, write: Write): Promise<ListedTexts> {
    return await this.#texts(await this.#store.keys(window), write)
  }

  async page(window: PageWindow, write: Write): Promise<ListedTexts & Pick<Page<Assistant>, 'metadata'>> {
    const { results, metadata } = await this.#store.pageOfKeys(window)
    return { ...(await this.#texts(results, write)), metadata }
  }

  #texts(keys: readonly RowKey[], write: Write): Promise<ListedTexts> {
    const read = async (some: readonly RowKey[]) => {
      if (some.length === 0) return []
      const rows = await this.#store.listed(some.map(({ id }) => id))
      const found = new Map(rows.map((row) => [row.id, row]))
      return await write(some.flatMap(({ id }) => found.get(id) ?? []))
    }
    return textsInParts(keys, read, rowParts)
  }
}
