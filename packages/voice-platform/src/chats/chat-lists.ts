import { loopTurn } from '@heyline/kit/loop-turn'
import type { Chat, Page } from '@heyline/platform-client'
import type { PageWindow } from '../resources/list-page.js'
import type { Equal } from '../resources/list-window.js'
import { type ChatRow, chatView } from './chat-row.js'
import type { ChatStore } from './chat-store.js'

/** How many chats are in memory at once: what was said may be long. */
const PART = 50

/** Chats as the texts of their JSON. */
export interface ChatTexts extends Pick<Page<Chat>, 'metadata'> {
  first: string[]
  /** The first and the others, where there are more. They are read when they are taken. */
  parts?: AsyncGenerator<string[], void>
}

/** A page of whole chats, each as `shown` leaves it. One that is deleted meanwhile is left out. */
export async function chatTexts(
  store: Pick<ChatStore, 'pageOfKeys' | 'listed'>,
  { window, equal, shown }: { window: PageWindow; equal: Equal; shown(chat: Chat): Chat },
): Promise<ChatTexts> {
  const { results: keys, metadata } = await store.pageOfKeys(window, equal)
  const part = async (from: number): Promise<string[]> => {
    const ids = keys.slice(from, from + PART).map(({ id }) => id)
    const found = new Map((await store.listed(ids)).map((row) => [row.id, row]))
    return ids.flatMap((id) => written(found.get(id)))
  }
  const written = (row: ChatRow | undefined): string[] => (row ? [JSON.stringify(shown(chatView(row)))] : [])
  const first = await part(0)
  if (keys.length <= PART) return { first, metadata }
  async function* parts(): AsyncGenerator<string[], void> {
    yield first
    for (let from = PART; from < keys.length; from += PART) {
      await loopTurn()
      yield await part(from)
    }
  }
  return { first, parts: parts(), metadata }
}
