import { execFileSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { FILES } from '../directory/directory-files.js'
import { unpack } from '../tar/unpack.js'
import { templateFile } from './template-file.js'

const INITDB = fileURLToPath(new URL('../../dist/template/initdb.js', import.meta.url))

/**
 * Creates a fresh database in `directory/pgdata`, which must not exist: out of the template, or, where the build has left none or
 * it can't be unpacked, by initdb in a process of its own, since the near gigabyte that it takes would stay with ours. Nothing is
 * synced. Resolves with what is wrong with the template.
 */
export async function createCluster(
  directory: string,
  template = templateFile(),
): Promise<string | undefined> {
  let wrong: string | undefined
  if (existsSync(template)) {
    try {
      await unpack(template, directory)
      return undefined
    } catch (error) {
      wrong = `${template}: ${error instanceof Error ? error.message : String(error)}`
      rmSync(join(directory, FILES.data), { recursive: true, force: true })
    }
  }
  execFileSync(process.execPath, [INITDB, directory], { stdio: ['ignore', 'ignore', 'pipe'] })
  return wrong
}
