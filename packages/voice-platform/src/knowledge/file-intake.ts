import { isCrowd } from '../work/asker-line.js'
import type { FileRow } from './file-row.js'
import type { FileStore } from './file-store.js'
import { languageOf } from './language.js'
import { FILE_TYPES, type FileKind, fileKind, looksLike } from './parsing/file-kind.js'
import type { ReadSections } from './parsing/parser-thread.js'
import { type Section, UnreadableFile, wellFormed } from './parsing/section.js'
import type { InTurn } from './passage-parts.js'
import { passagesOf } from './passages.js'

/** Largest file, in bytes. */
export const MOST_FILE_BYTES = 20_000_000
/** Longest name, as on the hosted platform. */
const LONGEST_NAME = 40
const LONGEST_ORIGINAL_NAME = 255

/** A file as somebody sends it. */
export interface SentFile {
  name: string
  mimetype?: string
  content: Uint8Array
  purpose?: string | undefined
  metadata?: Record<string, unknown> | undefined
}

/** Why a file is not taken. */
export class FileRefused extends Error {
  override readonly name = 'FileRefused'
  readonly code: 'invalid_file' | 'too_large' | 'full' | 'busy' | 'gone'

  constructor(code: FileRefused['code'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/**
 * Stores a file, and reads it: the row that comes back is `done`, or `failed` with the reason. Rejects with a `FileRefused`, with nothing
 * stored, for one that is not taken.
 */
export async function takeFile(
  store: FileStore,
  { read, mostBytes, inTurn }: { read: ReadSections; mostBytes: number; inTurn: InTurn },
  sent: SentFile,
): Promise<FileRow> {
  const kind = kindOf(sent)
  const { content, purpose, metadata } = sent
  const originalName = cleanName(sent.name).slice(0, LONGEST_ORIGINAL_NAME)
  const nameOf = (number: number) => shortened(originalName, number)
  const row = await store.insert({ nameOf, originalName, kind, content, purpose, metadata }, mostBytes)
  const full = () =>
    new FileRefused(
      'full',
      `All files together, with the texts in them, may have ${mostBytes / 1_000_000} MB (KNOWLEDGE_MOST_MB): remove some first.`,
    )
  if (!row) throw full()
  try {
    const sections = await read({ kind, content })
    const passages = passagesOf(sections)
    const text = sections.map(written).join('\n\n')
    const done = await store.done(
      row.id,
      { text, language: languageOf(text), passages },
      { mostBytes, inTurn },
    )
    if (done === 'full') throw full()
    return stillThere(done)
  } catch (error) {
    if (error instanceof UnreadableFile) return stillThere(await store.failed(row.id, error.message))
    await store.delete(row.id)
    if (!isCrowd(error)) throw error
    throw new FileRefused('busy', 'Too many files are read now: try again in a minute.', { cause: error })
  }
}

function stillThere(row: FileRow | undefined): FileRow {
  if (row) return row
  throw new FileRefused(
    'gone',
    'The file was removed while it was read: a newer one of its name took its place, or somebody removed it. Look at the list again.',
  )
}

function kindOf({ name, mimetype, content }: SentFile): FileKind {
  if (content.byteLength === 0) throw new FileRefused('invalid_file', 'The file is empty.')
  if (content.byteLength > MOST_FILE_BYTES)
    throw new FileRefused('too_large', `A file has at most ${MOST_FILE_BYTES / 1_000_000} MB: split it.`)
  const kind = fileKind(name, mimetype)
  if (!kind)
    throw new FileRefused(
      'invalid_file',
      `Files of this kind are not read. These are: ${Object.keys(FILE_TYPES).join(', ')}.`,
    )
  if (!looksLike(kind, content))
    throw new FileRefused('invalid_file', `The file does not look like ${kind}, as its name says.`)
  return kind
}

const written = ({ heading, text }: Section): string => (heading === undefined ? text : `${heading}\n${text}`)

/** The last part of a path, on one line. */
const cleanName = (name: string): string =>
  (wellFormed(name).split(/[/\\]/).at(-1) ?? '').replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '').trim() || 'file'

/** A long name keeps its end, which says what it is, behind the number of files that would be shown as the same. */
function shortened(name: string, number: number): string {
  if (name.length <= LONGEST_NAME) return name
  const ending = /\.[^.]{1,8}$/.exec(name)?.[0] ?? ''
  const end = `…${number > 1 ? ` (${number})` : ''}${ending}`
  return wellFormed(`${name.slice(0, LONGEST_NAME - end.length)}${end}`)
}
