import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { unpack } from '../tar/unpack.js'
import { templateFile } from './template-file.js'

const INITDB = fileURLToPath(new URL('../../dist/template/initdb.js', import.meta.url))

/**
 * Creates a fresh database in `directory/pgdata`, which must not exist: out of the template, or, where the build has left none,
 * by initdb in a process of its own, since the near gigabyte that it takes would stay with ours. Nothing is synced.
 */
export async function createCluster(directory: string, template = templateFile()): Promise<void> {
  if (existsSync(template)) await unpack(template, directory)
  else execFileSync(process.execPath, [INITDB, directory], { stdio: ['ignore', 'ignore', 'pipe'] })
}
