import { existsSync } from 'node:fs'
import { cp, mkdtemp, rename, rm } from 'node:fs/promises'
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
  await cp(template, directory, { recursive: true })
  return directory
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
