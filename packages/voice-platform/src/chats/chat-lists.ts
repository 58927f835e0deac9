import type { Chat, Page } from '@heyline/platform-client'
import type { PageWindow } from '../resources/list-page.js'
import type { Equal } from '../resources/list-window.js'
import { type ListedTexts, textsInParts } from '../resources/texts-in-parts.js'
import { chatView } from './chat-row.js'
import type { ChatStore } from './chat-store.js'

/** A page of whole chats, each as `shown` leaves it. One that is deleted meanwhile is left out. */
export async function chatTexts(
  store: Pick<ChatStore, 'pageOfKeys' | 'listed'>,
  { window, equal, shown }: { window: PageWindow; equal: Equal; shown(chat: Chat): Chat },
): Promise<ListedTexts & Pick<Page<Chat>, 'metadata'>> {
  const { results: keys, metadata } = await store.pageOfKeys(window, equal)
  const texts = await textsInParts(keys, async (some) => {
    const found = new Map((await store.listed(some.map(({ id }) => id))).map((row) => [row.id, row]))
    return some.flatMap(({ id }) => {
      const row = found.get(id)
      return row ? [JSON.stringify(shown(chatView(row)))] : []
    })
  })
  return { ...texts, metadata }
}
