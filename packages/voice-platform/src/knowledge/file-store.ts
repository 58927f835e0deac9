import type { Db, Queryable } from '@heyline/database'
import { FILE_COLUMNS, type FileRow } from './file-row.js'
import type { FileKind } from './parsing/file-kind.js'
import { type InTurn, storePassages } from './passage-parts.js'
import type { Passage } from './passages.js'

/** Bytes of one part of a file. */
const PART_BYTES = 1_000_000
/** Most files of the installation, however small they are. */
const MOST_FILES = 10_000

/** A file before it is stored. */
export interface NewFile {
  originalName: string
  /** What it is shown as, or is where so many are shown as the same. */
  nameOf: (number: number) => string
  kind: FileKind
  content: Uint8Array
  purpose?: string | undefined
  metadata?: Record<string, unknown> | undefined
}

/** What was read from a file. */
export interface ReadFile {
  text: string
  language: string
  passages: readonly Passage[]
}

/** Whose files: the installation's own, or one visitor's by the slug as stored. Nobody reaches the files of another owner. */
export type FileOwner = { visitor: string } | 'installation'

const OWN = 'visitor_slug is not distinct from $1'
const slugOf = (owner: FileOwner): string | null => (owner === 'installation' ? null : owner.visitor)

/** The files of one owner, in the database, so that every process serves them. */
export class FileStore {
  readonly #db: Db
  readonly #slug: string | null

  constructor(db: Db, owner: FileOwner) {
    this.#db = db
    this.#slug = slugOf(owner)
  }

  /** Stores a file that is not read yet. Undefined, with nothing stored, where all files together would be too many or too large. */
  insert(file: NewFile, mostBytes: number): Promise<FileRow | undefined> {
    return this.#db.transaction(async (tx) => {
      const { files, bytes } = await sizeOfAll(tx)
      if (files >= MOST_FILES || bytes + file.content.byteLength > mostBytes) return undefined
      // The time as it is now, and not when the transaction began: whoever came later is newer.
      const { rows } = await tx.query<FileRow>(
        `insert into voice_platform.files (visitor_slug, name, original_name, kind, bytes, purpose, notes, created_at, updated_at)
         select $1, $2, $3, $4, $5, $6, $7, at, at from (select clock_timestamp() as at) now returning ${FILE_COLUMNS}`,
        [
          ...[this.#slug, await this.#freeName(tx, file), file.originalName, file.kind],
          ...[file.content.byteLength, file.purpose, file.metadata],
        ],
      )
      const [row] = rows
      if (!row) throw new Error('The database returned no row for an inserted file.')
      for (let number = 0; number * PART_BYTES < file.content.byteLength; number += 1)
        await tx.query(
          'insert into voice_platform.file_parts (file_id, number, content) values ($1, $2, $3)',
          [row.id, number, file.content.subarray(number * PART_BYTES, (number + 1) * PART_BYTES)],
        )
      return row
    })
  }

  /**
   * Keeps what was read from a file, also where its visitor has another slug by now. A visitor's file takes the place of older ones of its name.
   * Undefined where it is gone; 'full' where all files, with their texts, would be too large. Its passages are stored first, in parts: nothing
   * looks into them before the file is done.
   */
  async done(
    id: string,
    { text, language, passages }: ReadFile,
    { mostBytes, inTurn }: { mostBytes: number; inTurn: InTurn },
  ): Promise<FileRow | 'full' | undefined> {
    if (!(await storePassages(this.#db, { fileId: id, language, passages }, inTurn))) return undefined
    return await this.#db.transaction(async (tx) => {
      const { bytes } = await sizeOfAll(tx)
      if (bytes + Buffer.byteLength(text) > mostBytes) return 'full'
      const { rows } = await tx.query<FileRow>(
        `update voice_platform.files set status = 'done', text = $2, text_bytes = $3, language = $4, updated_at = now()
         where id = $1 returning ${FILE_COLUMNS}`,
        [id, text, Buffer.byteLength(text), language],
      )
      const [row] = rows
      if (!row) return undefined
      await tx.query(
        `delete from voice_platform.files old using voice_platform.files new
         where new.id = $1 and old.visitor_slug = new.visitor_slug and old.original_name = new.original_name
           and (old.created_at, old.id) < (new.created_at, new.id)`,
        [id],
      )
      return row
    })
  }

  /** Keeps why a file cannot be read. Undefined where it is gone. */
  async failed(id: string, failure: string): Promise<FileRow | undefined> {
    await this.#db.query('delete from voice_platform.passages where file_id = $1', [id])
    const { rows } = await this.#db.query<FileRow>(
      `update voice_platform.files set status = 'failed', failure = $2, updated_at = now()
       where id = $1 returning ${FILE_COLUMNS}`,
      [id, failure],
    )
    return rows[0]
  }

  get(id: string): Promise<FileRow | undefined> {
    return this.#one(`select ${FILE_COLUMNS} from voice_platform.files where ${OWN} and id = $2`, [id])
  }

  /** The newest first. */
  async list(): Promise<FileRow[]> {
    const { rows } = await this.#db.query<FileRow>(
      `select ${FILE_COLUMNS} from voice_platform.files where ${OWN} order by created_at desc, id limit 1000`,
      [this.#slug],
    )
    return rows
  }

  rename(id: string, name: string | undefined): Promise<FileRow | undefined> {
    return this.#one(
      `update voice_platform.files set name = coalesce($3, name), updated_at = now() where ${OWN} and id = $2 returning ${FILE_COLUMNS}`,
      [id, name],
    )
  }

  delete(id: string): Promise<FileRow | undefined> {
    return this.#one(`delete from voice_platform.files where ${OWN} and id = $2 returning ${FILE_COLUMNS}`, [
      id,
    ])
  }

  /** How many there were. */
  async deleteAll(): Promise<number> {
    const { rowCount } = await this.#db.query(`delete from voice_platform.files where ${OWN}`, [this.#slug])
    return rowCount
  }

  /** The ids of these files that are there. */
  async among(ids: readonly string[]): Promise<string[]> {
    const { rows } = await this.#db.query<{ id: string }>(
      `select id from voice_platform.files where ${OWN} and id = any ($2::uuid[])`,
      [this.#slug, `{${ids.join(',')}}`],
    )
    return rows.map(({ id }) => id)
  }

  /** What a file holds, part by part. */
  async *content(id: string): AsyncGenerator<Uint8Array> {
    for (let number = 0; ; number += 1) {
      const { rows } = await this.#db.query<{ content: Uint8Array }>(
        `select p.content from voice_platform.file_parts p join voice_platform.files f on f.id = p.file_id
         where f.visitor_slug is not distinct from $1 and p.file_id = $2 and p.number = $3`,
        [this.#slug, id, number],
      )
      const [part] = rows
      if (!part) return
      yield part.content
    }
  }

  /** The text that was read from a file. */
  async text(id: string): Promise<string | undefined> {
    const { rows } = await this.#db.query<{ text: string | null }>(
      `select text from voice_platform.files where ${OWN} and id = $2`,
      [this.#slug, id],
    )
    return rows[0]?.text ?? undefined
  }

  async #one(sql: string, parameters: unknown[]): Promise<FileRow | undefined> {
    const { rows } = await this.#db.query<FileRow>(sql, [this.#slug, ...parameters])
    return rows[0]
  }

  /** A shortened name that no other file of the owner is shown as. A name that needs not be shortened stays. */
  async #freeName(tx: Queryable, { originalName, nameOf }: NewFile): Promise<string> {
    if (nameOf(1) === originalName) return originalName
    const { rows } = await tx.query<{ name: string }>(
      `select name from voice_platform.files where ${OWN} and original_name <> $2`,
      [this.#slug, originalName],
    )
    const taken = new Set(rows.map(({ name }) => name))
    let number = 1
    while (taken.has(nameOf(number))) number += 1
    return nameOf(number)
  }
}

/**
 * How many files there are, of all owners, and how large they are with the texts that were read from them: a zip of 10 kB may hold megabytes. Nobody
 * else adds any until the transaction ends: two together would be too large.
 */
async function sizeOfAll(tx: Queryable): Promise<{ files: number; bytes: number }> {
  await tx.query("select pg_advisory_xact_lock(hashtextextended('voice_platform.files', 0))")
  const { rows } = await tx.query<{ files: number; bytes: number }>(
    'select count(*)::int as files, coalesce(sum(bytes + coalesce(text_bytes, 0)), 0)::float8 as bytes from voice_platform.files',
  )
  return rows[0] ?? { files: 0, bytes: 0 }
}
