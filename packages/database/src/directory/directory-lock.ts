import { execFileSync } from 'node:child_process'
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'

/** Another process has the data directory; two on one directory would lose each other's rows. */
export class DataDirectoryLocked extends Error {
  override readonly name = 'DataDirectoryLocked'
  readonly code = 'data_directory_locked'

  constructor(directory: string, owner: Owner, file: string) {
    const elsewhere = owner.host !== hostname()
    super(
      `The data directory ${directory} is in use by process ${owner.pid}${elsewhere ? ` on ${owner.host}` : ''}. ` +
        (elsewhere ? `Stop it; if it is surely gone, remove ${file}.` : 'Stop it, or use another directory.'),
    )
  }
}

interface Owner {
  pid: number
  host: string
  /** When the process started, as the system says it: tells it from a later process with the same id. */
  started: string
}

/**
 * Takes the directory for this process, or throws `DataDirectoryLocked`; the returned function frees it. The lock is a
 * file that names its owner; one left behind by a process that is gone (killed, machine restarted) is taken over.
 */
export function lockDirectory(directory: string): () => void {
  const file = join(directory, 'lock')
  const mine = JSON.stringify({
    pid: process.pid,
    host: hostname(),
    started: startOf(process.pid) ?? '',
  } satisfies Owner)
  const draft = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`
  writeFileSync(draft, mine, { mode: 0o600 })
  try {
    while (!link(draft, file)) {
      const found = read(file)
      if (found === undefined) continue // freed a moment ago
      const owner = parseOwner(found)
      if (owner && isAlive(owner)) throw new DataDirectoryLocked(directory, owner, file)
      removeStale(file, found, `${draft}.stale`)
    }
  } finally {
    rmSync(draft, { force: true })
  }
  const free = (): void => {
    process.off('exit', free)
    if (read(file) === mine) rmSync(file, { force: true })
  }
  process.once('exit', free)
  return free
}

/** Creates the lock with its content in one step, so that nobody ever reads half of it. */
function link(draft: string, file: string): boolean {
  try {
    linkSync(draft, file)
    return true
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return false
    throw error
  }
}

/** Moves the stale lock away; if what was moved is somebody's fresh one after all, puts it back. */
function removeStale(file: string, stale: string, aside: string): void {
  try {
    renameSync(file, aside)
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return
    throw error
  }
  if (read(aside) !== stale) link(aside, file)
  rmSync(aside, { force: true })
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined
    throw error
  }
}

function parseOwner(text: string): Owner | undefined {
  try {
    const owner: unknown = JSON.parse(text)
    if (typeof owner !== 'object' || owner === null) return undefined
    if (!('pid' in owner) || !('host' in owner) || !('started' in owner)) return undefined
    const { pid, host, started } = owner
    if (typeof pid !== 'number' || typeof host !== 'string' || typeof started !== 'string') return undefined
    return { pid, host, started }
  } catch {
    return undefined // written by a machine that lost power: nobody's
  }
}

/** A process of another machine (or container) cannot be seen from here, so it counts as alive. */
function isAlive(owner: Owner): boolean {
  if (owner.host !== hostname()) return true
  const started = startOf(owner.pid)
  return started !== undefined && (owner.started === '' || owner.started === started)
}

/** When the process started; undefined when there is none. Field 22 of /proc/PID/stat, elsewhere what ps says. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const afterName = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return afterName[0] === 'Z' ? undefined : afterName[19]
  } catch (error) {
    if (process.platform === 'linux' && isErrno(error, 'ENOENT')) return undefined
  }
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (isErrno(error, 'ESRCH')) return undefined
  }
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim()
  } catch {
    return ''
  }
}

function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
