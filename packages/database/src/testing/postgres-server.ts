import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { accessSync, chownSync, constants, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'

const DEBIAN_BINARIES = '/usr/lib/postgresql'
const START_TIMEOUT_MS = 20_000

/** The newest folder with `initdb` and `postgres`, of PATH or Debian's; undefined when Postgres is not installed. */
export function findPostgres(): string | undefined {
  const onPath = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  return [...debianFolders(), ...onPath].find(
    (folder) => isExecutable(join(folder, 'initdb')) && isExecutable(join(folder, 'postgres')),
  )
}

/**
 * Starts a Postgres of its own in a temporary directory, reachable through a unix socket there only, trusting its callers.
 * Postgres refuses to run as root: then it runs as the system's user `postgres`.
 * `stop` ends it and removes the directory; the end of this process does so, too.
 */
export async function startPostgres(): Promise<{ url: string; stop(): Promise<void> }> {
  const binaries = findPostgres()
  if (!binaries) throw new Error("Postgres is not installed: Debian's package is called postgresql.")
  const directory = mkdtempSync(join(tmpdir(), 'heyline-postgres-'))
  const owner = process.getuid?.() === 0 ? systemUser('postgres') : undefined
  if (owner) chownSync(directory, owner.uid, owner.gid)
  const data = join(directory, 'data')
  const options = { cwd: directory, env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' }, ...owner }

  const initdb = [`--pgdata=${data}`, '--username=postgres', '--auth=trust', '--encoding=UTF8', '--no-sync']
  execFileSync(join(binaries, 'initdb'), initdb, { ...options, stdio: 'pipe' })
  const server = spawn(
    join(binaries, 'postgres'),
    ['-D', data, '-k', directory, '-c', 'listen_addresses=', '-F'],
    {
      ...options,
      stdio: 'ignore',
    },
  )
  const exited = new Promise<void>((resolve) => {
    server.once('exit', () => resolve())
    server.once('error', () => resolve())
  })
  const atExit = (): void => {
    server.kill('SIGQUIT')
    rmSync(directory, { recursive: true, force: true })
  }
  process.once('exit', atExit)

  const stop = async (): Promise<void> => {
    process.off('exit', atExit)
    server.kill('SIGINT') // "fast": open transactions are rolled back
    await exited
    rmSync(directory, { recursive: true, force: true })
  }
  const url = `postgresql://postgres@localhost/postgres?host=${encodeURIComponent(directory)}`
  try {
    await ready(url, server)
  } catch (error) {
    await stop()
    throw error
  }
  return { url, stop }
}

async function ready(url: string, server: ChildProcess): Promise<void> {
  for (const deadline = Date.now() + START_TIMEOUT_MS; ; ) {
    const client = new Client({ connectionString: url })
    try {
      await client.connect()
      return await client.end()
    } catch (error) {
      await client.end().catch(() => {})
      const ended = server.exitCode !== null || server.pid === undefined
      if (ended || Date.now() > deadline)
        throw new Error('The temporary Postgres did not start.', { cause: error })
      await delay(50)
    }
  }
}

function debianFolders(): string[] {
  try {
    const versions = readdirSync(DEBIAN_BINARIES).sort((a, b) => Number(b) - Number(a))
    return versions.map((version) => join(DEBIAN_BINARIES, version, 'bin'))
  } catch {
    return []
  }
}

export function systemUser(name: string): { uid: number; gid: number } {
  const id = (flag: string): number => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
