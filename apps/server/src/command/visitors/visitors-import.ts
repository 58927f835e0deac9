import { statSync } from 'node:fs'
import { type BadRow, type FileColumn, readVisitorRows, type VisitorRow } from '@heyline/back-office/csv'
import {
  type NewVisitor,
  privateSlug,
  REPLACEABLE,
  VisitorError,
  type Visitors,
} from '@heyline/backend/stored-visitors'
import { withVisitors } from '../place/visitors-place.js'
import { CommandError, RowsRefused } from '../terminal/command-error.js'
import { printText } from '../terminal/output.js'
import { openProgress, type Progress } from '../terminal/progress.js'
import type { CommandContext } from '../terminal/terminal.js'
import { isLongPrompt, warnOfLongPrompts } from './long-prompts.js'

export interface FileImportOptions {
  /** Visitors that are there already get what the file says. */
  replace?: boolean
  /** Each slug gets a random ending. */
  private?: boolean
  json?: boolean
}

/** Slugs of the file, and those that are stored in their place. */
type PrivateSlugs = Map<string, string>

/**
 * `heyline visitors import FILE.csv`: the file is read twice, once to check every row, once to store them in one
 * transaction. So a file of any length needs little memory, and one bad row keeps everything out.
 */
export function importFile(
  context: CommandContext,
  file: string,
  { replace = false, private: isPrivate = false, json }: FileImportOptions,
): Promise<void> {
  if (replace && isPrivate)
    throw new CommandError(
      'usage',
      '--private makes new slugs, so there is nothing to --replace: leave one out',
    )
  const bytes = sizeOf(file)
  const slugs: PrivateSlugs | undefined = isPrivate ? new Map() : undefined
  return withVisitors(context, async (visitors) => {
    const progress = openProgress(json, context.terminal.err)
    const { rows, columns, longPrompts } = await check({ file, bytes, replace, slugs, visitors, progress })
    progress.say(`checked ${counted(rows)}; storing them`)
    const report = await visitors.import(readAgain(file, rows, slugs), {
      replace: replace ? REPLACEABLE.filter((column) => columns.includes(column)) : undefined,
      onProgress: (stored) => progress.step('stored', stored, rows),
    })
    progress.say(`stored ${counted(rows)}`)
    warnOfLongPrompts(context, longPrompts)
    const { added, replaced } = report
    const { log, out } = context.terminal
    if (json) return log(JSON.stringify({ ...report, ...(slugs && { slugs: Object.fromEntries(slugs) }) }))
    log(`Added ${added} visitors${replace ? `, replaced ${replaced}` : ''}`)
    for (const [given, slug] of slugs ?? []) await printText(`${given}  /${slug}\n`, out)
  })
}

interface CheckOptions {
  file: string
  bytes: number
  replace: boolean
  /** Is filled where slugs get random endings. */
  slugs: PrivateSlugs | undefined
  visitors: Visitors
  progress: Progress
}

/** Checks the file row by row, against itself and against what is stored. Throws a `RowsRefused`. */
async function check({ file, bytes, replace, slugs, visitors, progress }: CheckOptions) {
  const bad: BadRow[] = []
  const lines = new Map<string, number>()
  let columns: FileColumn[] = []
  let [rows, longPrompts] = [0, 0]
  for await (const part of readVisitorRows(file)) {
    columns = part.columns
    for (const row of part.bad) bad.push(row)
    const fresh = part.rows
      .filter((row) => isFresh(row, lines, bad))
      .flatMap((row) => (slugs ? withPrivateSlug(row, slugs, bad) : [row]))
    if (!visitors.keepsListed)
      for (const { line, visitor } of fresh)
        if (visitor.listed) bad.push({ line, reason: 'a hosted table is not known to have a column listed' })
    if (!replace) bad.push(...(await stored(fresh, visitors)))
    rows += part.rows.length
    longPrompts += part.rows.filter(({ visitor }) => isLongPrompt(visitor.system)).length
    progress.step('checked', part.bytes, bytes)
  }
  if (bad.length > 0) throw new RowsRefused(file, bad)
  return { rows, columns, longPrompts }
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

/** The row under its new slug, which is kept; none where it has no room for the ending. */
function withPrivateSlug({ line, visitor }: VisitorRow, slugs: PrivateSlugs, bad: BadRow[]): VisitorRow[] {
  try {
    const slug = privateSlug(visitor.slug)
    slugs.set(visitor.slug, slug)
    return [{ line, visitor: { ...visitor, slug } }]
  } catch (error) {
    if (!(error instanceof VisitorError)) throw error
    bad.push({ line, reason: `slug "${visitor.slug}": ${error.message}` })
    return []
  }
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
async function* readAgain(
  file: string,
  rows: number,
  slugs: PrivateSlugs | undefined,
): AsyncGenerator<NewVisitor[]> {
  let seen = 0
  for await (const part of readVisitorRows(file)) {
    seen += part.rows.length
    const known = part.rows.every(({ visitor }) => !slugs || slugs.has(visitor.slug))
    if (part.bad.length > 0 || !known) {
      seen = -1
      break
    }
    const visitors = part.rows.map(({ visitor }) => ({
      ...visitor,
      slug: slugs?.get(visitor.slug) ?? visitor.slug,
    }))
    if (visitors.length > 0) yield visitors
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
