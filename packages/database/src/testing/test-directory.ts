import { copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { openPglite } from '../pglite/open-pglite.js'
import { pgliteVersion } from '../template/template-file.js'

/**
 * A fresh temporary directory with an empty PGlite in it; whoever asks removes it. The first call on a machine makes
 * a template beside it, as creating a database takes seconds and copying one does not.
 */
export async function createTestDirectory(): Promise<string> {
  const template = await templateDirectory()
  const directory = await mkdtemp(join(tmpdir(), 'heyline-db-'))
  copyFolder(template, directory)
  return directory
}

/** A third of the time that `cp` takes for a thousand files; their modes are PGlite's own affair. */
function copyFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const copy = entry.isDirectory() ? copyFolder : copyFileSync
    copy(join(from, entry.name), join(to, entry.name))
  }
}

async function templateDirectory(): Promise<string> {
  const template = join(tmpdir(), `heyline-template-${pgliteVersion()}-${process.getuid?.() ?? 0}`)
  if (existsSync(template)) return template
  const draft = await mkdtemp(`${template}-`)
  try {
    const db = await openPglite({ directory: draft, logger: pino({ level: 'silent' }) })
    await db.close()
    await rename(draft, template)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    if (!existsSync(template)) throw error // else another process was faster
  }
  return template
}
