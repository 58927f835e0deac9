import { OfficeError } from '@heyline/back-office/client'
import type { Office } from '../office/office.js'
import { textOf } from '../office/refusal.js'
import type { FileColumn, GoodRow } from './import-rows.js'
import { IMPORT_TEXTS } from './texts.js'

/** What an import has stored. */
export interface StoredImport {
  added: number
  replaced: number
  slugs: string[]
  undoId: string | null
}

/** Rows of one request: progress shows after each. Visitors with the longest prompts can be replaced by so many at once. */
const ROWS_AT_ONCE = 100

/**
 * Stores rows, a part at a time, under one undo. Where a part fails, what the others stored is taken back, and this rejects with what the
 * server said; where nothing can be taken back (a hosted table), all rows are one part.
 */
export async function storeRows(
  office: Office,
  rows: readonly GoodRow[],
  {
    columns,
    replaces,
    progress,
  }: {
    columns: readonly (FileColumn | null)[]
    replaces: boolean
    progress(stored: number): void
  },
): Promise<StoredImport> {
  const replace = replaces
    ? columns.filter((column) => column !== null && column !== 'slug').join(',')
    : undefined
  const stored: StoredImport = { added: 0, replaced: 0, slugs: [], undoId: null }
  let isHosted = false
  // No part has changed anything so far.
  let isFirst = true
  for (let at = 0; at < rows.length; ) {
    const part = isHosted ? rows.slice(at) : rows.slice(at, at + ROWS_AT_ONCE)
    try {
      const { added, replaced, undoId, isChanged } = await office.visitors.import({
        lines: one(part.map(({ visitor }) => visitor)),
        ...(replace !== undefined && { replace }),
        ...(stored.undoId && { undoId: stored.undoId }),
      })
      stored.added += added
      stored.replaced += replaced
      if (isChanged !== false) {
        // Where it became too much to keep, nothing takes back the whole of it any more.
        stored.undoId = isFirst || stored.undoId !== null ? (undoId ?? null) : null
        isHosted = isFirst && stored.undoId === null
        isFirst = false
      }
    } catch (error) {
      throw await takenBack(office, stored.undoId, error)
    }
    stored.slugs.push(...part.map(({ visitor }) => visitor.slug))
    at += part.length
    progress(at)
  }
  return stored
}

async function takenBack(office: Office, undoId: string | null, error: unknown): Promise<unknown> {
  if (undoId === null) return error
  await office.undo.apply({ id: undoId })
  return new OfficeError(0, 'stopped', `${textOf(error, '')} ${IMPORT_TEXTS.stopped}`.trim(), {
    cause: error,
  })
}

async function* one<Value>(value: Value): AsyncGenerator<Value> {
  yield value
}
