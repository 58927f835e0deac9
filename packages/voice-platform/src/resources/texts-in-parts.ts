import { loopTurn } from '@heyline/kit/loop-turn'

/** How many are in memory at once: what was said may be long. */
const PART = 50

/** What is listed, each as the text of its JSON, or that in UTF-8. */
export interface ListedTexts<Text = string> {
  first: readonly Text[]
  /** The first and the others, where there are more. They are read when they are taken, and again for each who takes them. */
  parts?: () => AsyncGenerator<readonly Text[], void>
}

/** Reads the first of these, and the others in parts. What is deleted meanwhile may be left out by `read`. */
export async function textsInParts<Key, Text>(
  keys: readonly Key[],
  read: (some: readonly Key[]) => Promise<readonly Text[]>,
): Promise<ListedTexts<Text>> {
  const first = await read(keys.slice(0, PART))
  if (keys.length <= PART) return { first }
  async function* parts(): AsyncGenerator<readonly Text[], void> {
    yield first
    for (let from = PART; from < keys.length; from += PART) {
      await loopTurn()
      yield await read(keys.slice(from, from + PART))
    }
  }
  return { first, parts }
}
