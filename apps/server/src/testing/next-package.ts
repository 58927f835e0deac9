import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What a later version brings: its schema is wider. */
const MIGRATION = 'alter table public.visitors add column if not exists of_the_next_version text;\n'

/** Makes of `heyline-0.1.0.tgz` the tarball of the version after it, in the same folder: with its number, and a migration more. */
export function nextPackage(folder: string, from: string, to: string): void {
  const place = mkdtempSync(join(tmpdir(), 'heyline-next-'))
  try {
    execFileSync('tar', ['-xzf', join(folder, `heyline-${from}.tgz`), '-C', place])
    renameSync(join(place, `heyline-${from}`), join(place, `heyline-${to}`))
    for (const manifest of ['package.json', 'apps/server/package.json']) {
      const file = join(place, `heyline-${to}`, manifest)
      writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), version: to }))
    }
    writeFileSync(
      join(place, `heyline-${to}`, 'supabase/migrations/29990101000000_next_version.sql'),
      MIGRATION,
    )
    execFileSync('tar', ['-czf', join(folder, `heyline-${to}.tgz`), '-C', place, `heyline-${to}`])
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}
