import { statSync } from 'node:fs'
import { type NewVisitor, REPLACEABLE, VisitorError, type Visitors } from '@heyline/backend'
import type { Settings } from '../../settings/settings.js'
import type { BadRow } from '../../visitors/csv/csv-records.js'
import { type FileColumn, readVisitorRows, type VisitorRow } from '../../visitors/csv/visitor-rows.js'
import { withVisitors } from '../place/visitors-place.js'
import { CommandError, RowsRefused } from '../terminal/command-error.js'
import { openProgress, type Progress } from '../terminal/progress.js'

export interface FileImportOptions {
  /** Visitors that are there already get what the file says. */
  replace?: boolean
  json?: boolean
}

/**
 * `heyline visitors import FILE.csv`: the file is read twice, once to check every row, once to store them in one
 * transaction. So a file of any length needs little memory, and one bad row keeps everything out.
 */
export function importFile(
  settings: Settings,
  file: string,
  { replace = false, json }: FileImportOptions,
): Promise<void> {
  const bytes = sizeOf(file)
  return withVisitors(settings, async (visitors) => {
    const progress = openProgress(json)
    const { rows, columns } = await check({ file, bytes, replace, visitors, progress })
    progress.say(`checked ${counted(rows)}; storing them`)
    const report = await visitors.import(readAgain(file, rows), {
      replace: replace ? REPLACEABLE.filter((column) => columns.includes(column)) : undefined,
      onProgress: (stored) => progress.step('stored', stored, rows),
    })
    progress.say(`stored ${counted(rows)}`)
    const { added, replaced } = report
    console.log(
      json ? JSON.stringify(report) : `Added ${added} visitors${replace ? `, replaced ${replaced}` : ''}`,
    )
  })
}

interface CheckOptions {
  file: string
  bytes: number
  replace: boolean
  visitors: Visitors
  progress: Progress
}

/** Checks the file row by row, against itself and against what is stored. Throws a `RowsRefused`. */
async function check({ file, bytes, replace, visitors, progress }: CheckOptions) {
  const bad: BadRow[] = []
  const lines = new Map<string, number>()
  let columns: FileColumn[] = []
  let rows = 0
  for await (const part of readVisitorRows(file)) {
    columns = part.columns
    for (const row of part.bad) bad.push(row)
    const fresh = part.rows.filter((row) => isFresh(row, lines, bad))
    if (!visitors.keepsListed)
      for (const { line, visitor } of fresh)
        if (visitor.listed) bad.push({ line, reason: 'a hosted table is not known to have a column listed' })
    if (!replace) bad.push(...(await stored(fresh, visitors)))
    rows += part.rows.length
    progress.step('checked', part.bytes, bytes)
  }
  if (bad.length > 0) throw new RowsRefused(file, bad)
  return { rows, columns }
}

/** Whether the file has not had the slug before (case does not count: it would be the same page). */
function isFresh(
  { line, visitor: { slug } }: VisitorRow,
  lines: Map<string, number>,
  bad: BadRow[],
): boolean {
  const key = slug.toLowerCase()
  const before = lines.get(key)
  if (before === undefined) lines.set(key, line)
  else bad.push({ line, reason: `slug "${slug}" is on line ${before} already (case does not count)` })
  return before === undefined
}

async function stored(rows: VisitorRow[], visitors: Visitors): Promise<BadRow[]> {
  if (rows.length === 0) return []
  const taken = await visitors.taken(rows.map(({ visitor }) => visitor.slug))
  const names = new Map(taken.map((slug) => [slug.toLowerCase(), slug]))
  return rows.flatMap(({ line, visitor: { slug } }) => {
    const there = names.get(slug.toLowerCase())
    if (there === undefined) return []
    const reason = `there is a visitor "${there}" already${there === slug ? '' : ' (case does not count)'}`
    return [{ line, reason }]
  })
}

/** The rows once more, as they were checked; a file that has changed since stops the import. */
async function* readAgain(file: string, rows: number): AsyncGenerator<NewVisitor[]> {
  let seen = 0
  for await (const part of readVisitorRows(file)) {
    seen += part.rows.length
    if (part.bad.length > 0) break
    if (part.rows.length > 0) yield part.rows.map(({ visitor }) => visitor)
  }
  if (seen !== rows)
    throw new VisitorError(
      'invalid_visitor',
      `${file} changed while it was read; nothing was stored: try again`,
    )
}

function sizeOf(file: string): number {
  try {
    const stats = statSync(file)
    if (stats.isFile()) return stats.size
  } catch (error) {
    throw new CommandError('no_file', `${file} can't be read: name a CSV file`, { cause: error })
  }
  throw new CommandError('no_file', `${file} is not a file: name a CSV file`)
}

const counted = (rows: number) => `${rows} row${rows === 1 ? '' : 's'}`
