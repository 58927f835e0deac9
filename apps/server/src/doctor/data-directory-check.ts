import { accessSync, constants, existsSync, type Stats, statfsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { serverFileNames } from '../running-server/server-file.js'
import { type Finding, fail, ok, warn } from './finding.js'

/** Free space below which an operator should look, and below which a database soon stops, in bytes. */
const LITTLE = 1_000_000_000
const TOO_LITTLE = 100_000_000

const CHECK = 'data directory'

/** The directory of the database and the keys: there, ours, closed to others, with free space. */
export function checkDataDirectory(given: string, freeBytes = freeBytesOf): Finding[] {
  const directory = resolve(given)
  if (!existsSync(directory)) return [missing(directory), space(nearest(directory), freeBytes)]
  const stats = statSync(directory)
  if (!stats.isDirectory())
    return [
      fail(CHECK, `${directory} is not a directory`, 'set DATA_DIR to a directory, or move the file away'),
    ]
  return [
    usable(directory, stats),
    ...['keys.json', ...serverFileNames(directory)].flatMap((name) => closed(join(directory, name), 0o600)),
    space(directory, freeBytes),
  ]
}

function missing(directory: string): Finding {
  const parent = nearest(directory)
  return mayUse(parent)
    ? ok(CHECK, `${directory} is not there yet: the first start makes it`)
    : fail(
        CHECK,
        `${directory} is not there, and ${parent} can't be written to`,
        'set DATA_DIR to a place that this user may write to',
      )
}

function usable(directory: string, stats: Stats): Finding {
  const user = process.getuid?.()
  if (user !== undefined && stats.uid !== user)
    return fail(
      CHECK,
      `${directory} belongs to user ${stats.uid}, and this is user ${user}`,
      `run as that user, or: chown -R ${user} ${directory}`,
    )
  if (!mayUse(directory))
    return fail(CHECK, `${directory} can't be read and written`, `chmod 700 ${directory}`)
  return closed(directory, 0o700)[0] ?? ok(CHECK, `${directory} is ours alone`)
}

/** Nothing where others can't open it. */
function closed(file: string, mode: number): Finding[] {
  if (!existsSync(file)) return []
  const found = statSync(file).mode & 0o777
  if ((found & 0o077) === 0) return []
  const text = `${file} is open to other users (mode ${found.toString(8)})`
  return [warn(CHECK, text, `chmod ${mode.toString(8)} ${file}`)]
}

function space(directory: string, freeBytes: (directory: string) => number): Finding {
  const free = freeBytes(directory)
  const text = `${(free / 1e9).toFixed(1)} GB are free for ${directory}`
  if (free < TOO_LITTLE) return fail('disk space', text, 'free some space: a full disk stops the database')
  if (free < LITTLE) return warn('disk space', text, 'free some space soon')
  return ok('disk space', text)
}

function freeBytesOf(directory: string): number {
  const { bavail, bsize } = statfsSync(directory)
  return bavail * bsize
}

/** The directory itself, or the next above that is there. */
function nearest(directory: string): string {
  return existsSync(directory) ? directory : nearest(dirname(directory))
}

function mayUse(directory: string): boolean {
  try {
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}
