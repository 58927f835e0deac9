import { setTimeout as delay } from 'node:timers/promises'
import { DatabaseError, type Db } from '@heyline/database'
import { UnreadableFile } from './parsing/section.js'
import type { Passage } from './passages.js'

/** Characters of the passages that one statement stores: at first, at least where a passage is no longer, and at most. */
const FIRST = 4_000
const LEAST = 1_000
const MOST = 20_000
/** Passages that one statement stores. */
const MOST_PASSAGES = 200
/** How long a statement should take, in ms, about: nobody else has a PGlite meanwhile. Text without words takes twenty times as long as prose. */
const AIM_MS = 20
/** Longest that all of a file's take, with the rests between, in ms. */
const LONGEST_MS = 60_000

/** Does a piece of work when its turn has come. */
export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>

export interface FilePassages {
  fileId: string
  language: string
  passages: readonly Passage[]
}

/**
 * Stores the passages of a file that is not done yet, in parts, each in a turn of its own and with a rest that is as long as the part took: others
 * have half of the database's time. False where the file is gone. Throws an `UnreadableFile` where it takes too long.
 */
export async function storePassages(
  db: Db,
  { fileId, language, passages }: FilePassages,
  inTurn: InTurn,
): Promise<boolean> {
  const numbered = passages.map((passage, number) => ({ ...passage, number }))
  const latest = performance.now() + LONGEST_MS
  let characters = FIRST
  for (let at = 0; at < numbered.length; ) {
    if (performance.now() > latest)
      throw new UnreadableFile(`The file takes longer than ${LONGEST_MS / 1000} s to store: split it.`)
    const part = partOf(numbered, at, characters)
    at += part.length
    const tookMs = await inTurn(async () => {
      const began = performance.now()
      const isStored = await insert(db, [fileId, language, part])
      const ms = performance.now() - began
      await delay(ms)
      return isStored ? ms : undefined
    })
    if (tookMs === undefined) return false
    characters = Math.min(MOST, Math.max(LEAST, tookMs > AIM_MS ? characters / 2 : characters * 2))
  }
  return true
}

/** The passages from this one on that have so many characters together; one at least. */
function partOf<Each extends Passage>(passages: readonly Each[], at: number, characters: number): Each[] {
  let end = at
  for (let left = characters; end < passages.length && end - at < MOST_PASSAGES; end += 1) {
    const { text = '', heading = '' } = passages[end] ?? {}
    left -= text.length + heading.length
    if (left < 0 && end > at) break
  }
  return passages.slice(at, end)
}

async function insert(
  db: Db,
  parameters: [fileId: string, language: string, part: object[]],
): Promise<boolean> {
  try {
    const { rowCount } = await db.query(
      `insert into voice_platform.passages (file_id, number, page, heading, text, language)
       select f.id, p.number, p.page, p.heading, p.text, $2
       from voice_platform.files f, json_to_recordset($3::json) as p(number integer, page integer, heading text, text text)
       where f.id = $1`,
      parameters,
    )
    return rowCount > 0
  } catch (error) {
    // Removed at this very moment.
    if (error instanceof DatabaseError && error.code === '23503') return false
    throw error
  }
}
