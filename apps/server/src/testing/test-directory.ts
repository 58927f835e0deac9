import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A directory for one file of tests. */
export function testDirectory(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'heyline-command-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}
