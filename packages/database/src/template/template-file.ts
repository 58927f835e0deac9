import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Where the build puts a fresh database of the PGlite in use, packed like a backup; it may be missing. */
export function templateFile(): string {
  return fileURLToPath(new URL(`../../dist/pgdata-${pgliteVersion()}.tar.gz`, import.meta.url))
}

/** The exact version that this package pins. */
export function pgliteVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  return String(Reflect.get(Object(Reflect.get(Object(manifest), 'dependencies')), '@electric-sql/pglite'))
}
