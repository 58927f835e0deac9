import { BackupError } from './backup-error.js'

/** What a backup says of itself, in its first entry. */
export interface Manifest {
  /** `files`: of a PGlite, as they lie in its directory; `rows`: of the tables, whatever database they are put into. */
  kind: 'files' | 'rows'
  /** ISO 8601. */
  takenAt: string
  /** Version of the program. */
  madeBy: string
  /** Versions of the migrations that the database has. */
  migrations: string[]
  /** Settings with keys that the database needs, and that a restore elsewhere can not know. Only a sealed backup has any. */
  keys: Record<string, string>
}

export const MANIFEST = 'heyline.json'
export const MANIFEST_MOST = 1_000_000

const FORMAT = 1

export const manifestText = (manifest: Manifest): string =>
  `${JSON.stringify({ format: FORMAT, ...manifest }, null, 2)}\n`

/** @throws BackupError `other_version`, `not_a_backup` */
export function readManifest(text: string): Manifest {
  const { format, kind, takenAt, madeBy, migrations, keys } = Object(JSON.parse(text))
  if (Number.isInteger(format) && format > FORMAT)
    throw new BackupError(
      'other_version',
      `The backup was written by a newer build (${String(madeBy)}): restore it with that one`,
    )
  const isText = (value: unknown) => typeof value === 'string'
  const isKnown =
    format === FORMAT &&
    (kind === 'files' || kind === 'rows') &&
    isText(takenAt) &&
    isText(madeBy) &&
    Array.isArray(migrations) &&
    migrations.every(isText) &&
    Object.values(Object(keys)).every(isText)
  if (!isKnown) throw new BackupError('not_a_backup', `The backup's ${MANIFEST} is not one`)
  return { kind, takenAt, madeBy, migrations, keys: Object(keys) }
}
