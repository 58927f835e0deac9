import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { syncPath } from '../disk/sync.js'
import { FILES } from './directory-files.js'
import { lockDirectory } from './directory-lock.js'

/**
 * Takes a PGlite's directory (mode 0700, created where there is none) for this process, and tidies up what a killed one has left
 * half done there. The returned function frees it.
 * @throws DataDirectoryLocked
 */
export function claimDirectory(directory: string): () => void {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  chmodSync(directory, 0o700) // PGlite itself writes files that anybody may read and write
  const release = lockDirectory(directory)
  try {
    tidy(directory)
    return release
  } catch (error) {
    release()
    throw error
  }
}

function tidy(directory: string): void {
  const data = join(directory, FILES.data)
  const previous = join(directory, FILES.previous)
  const incomplete = join(directory, FILES.incomplete)
  if (existsSync(incomplete)) {
    rmSync(data, { recursive: true, force: true })
    syncPath(directory) // gone for sure, before the mark that says so
    rmSync(incomplete)
  }
  if (existsSync(previous)) {
    // A restore was cut off: before the new data was in place, or after.
    if (existsSync(data)) rmSync(previous, { recursive: true, force: true })
    else renameSync(previous, data)
  }
  const leftovers = readdirSync(directory).filter(
    (name) => name === FILES.restoring || name.startsWith(FILES.snapshot),
  )
  for (const name of leftovers) rmSync(join(directory, name), { recursive: true, force: true })
  syncPath(directory)
}
