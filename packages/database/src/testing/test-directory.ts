import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { migrate } from '../migrator/migrate.js'
import { openPglite } from '../pglite/open-pglite.js'
import { pgliteVersion } from '../template/template-file.js'

/** Heyline's own migrations, shim and seed. */
export const SQL_FOLDER: string = fileURLToPath(new URL('../../../../supabase/', import.meta.url))

/** What is in a test's database: Heyline's tables and first rows, or nothing. */
export type Content = 'migrated' | 'empty'

/**
 * A fresh temporary directory with a PGlite in it; whoever asks removes it. The first call on a machine makes a template beside it,
 * and so does the first after a change of the migrations: creating a database takes seconds, and copying one does not.
 */
export async function createTestDirectory(content: Content = 'empty'): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'heyline-db-'))
  await fillTestDirectory(directory, content)
  return directory
}

/** The same in a directory that is there. */
export async function fillTestDirectory(directory: string, content: Content): Promise<void> {
  copyFolder(await templateDirectory(content), directory)
}

/** A third of the time that `cp` takes for a thousand files; their modes are PGlite's own affair. */
function copyFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const copy = entry.isDirectory() ? copyFolder : copyFileSync
    copy(join(from, entry.name), join(to, entry.name))
  }
}

async function templateDirectory(content: Content): Promise<string> {
  const template = join(tmpdir(), `heyline-template-${await keyOf(content)}-${process.getuid?.() ?? 0}`)
  if (existsSync(template)) return template
  const draft = await mkdtemp(`${template}-`)
  try {
    const db = await openPglite({ directory: draft, logger: pino({ level: 'silent' }) })
    if (content === 'migrated') await migrate(db, { folder: SQL_FOLDER })
    await db.close()
    await rename(draft, template)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    if (!existsSync(template)) throw error // else another process was faster
  }
  return template
}

const keys = new Map<Content, Promise<string>>()

/** Another one for another PGlite, and for other migrations. */
function keyOf(content: Content): Promise<string> {
  const known =
    keys.get(content) ?? (content === 'empty' ? Promise.resolve(pgliteVersion()) : hashOfMigrations())
  keys.set(content, known)
  return known
}

async function hashOfMigrations(): Promise<string> {
  const hash = createHash('sha256').update(pgliteVersion())
  const entries = readdirSync(SQL_FOLDER, { recursive: true, encoding: 'utf8' })
  for (const path of entries.filter((entry) => entry.endsWith('.sql')).sort())
    hash.update(path).update(await readFile(join(SQL_FOLDER, path)))
  return hash.digest('hex').slice(0, 16)
}
