import { loopTurn } from '@heyline/kit/loop-turn'

/** How many are in memory at once: what was said may be long. */
const PART = 50

/** What is listed, each as the text of its JSON, or that in UTF-8. */
export interface ListedTexts<Text = string> {
  first: readonly Text[]
  /** The first and the others, where there are more. They are read when they are taken, and again for each who takes them. */
  parts?: () => AsyncGenerator<readonly Text[], void>
}

/** Reads the first part of these, and the others when they are taken. What is deleted meanwhile may be left out by `read`. */
export async function textsInParts<Key, Text>(
  keys: readonly Key[],
  read: (some: readonly Key[]) => Promise<readonly Text[]>,
  parted: (keys: readonly Key[]) => Iterable<readonly Key[]> = inFifties,
): Promise<ListedTexts<Text>> {
  const [begin = [], ...others] = parted(keys)
  const first = await read(begin)
  if (others.length === 0) return { first }
  async function* parts(): AsyncGenerator<readonly Text[], void> {
    yield first
    for (const some of others) {
      await loopTurn()
      yield await read(some)
    }
  }
  return { first, parts }
}

function* inFifties<Key>(keys: readonly Key[]): Generator<readonly Key[], void> {
  for (let from = 0; from < keys.length; from += PART) yield keys.slice(from, from + PART)
}
