import { spawn } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { isExecutable, systemUser } from './postgres-server.js'

const DEBIAN = '/usr/sbin'
const PORT = 6432
const START_TIMEOUT_MS = 20_000

/** Path of PgBouncer, of PATH or Debian's; undefined when it is not installed. */
export function findPgBouncer(): string | undefined {
  const folders = [DEBIAN, ...(process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')]
  return folders.map((folder) => join(folder, 'pgbouncer')).find(isExecutable)
}

export interface PgBouncerOptions {
  /** A Postgres of `startPostgres`, which trusts its callers. */
  postgres: string
  mode?: 'session' | 'transaction'
  /** Sessions of each database that its clients share. */
  sessions?: number
}

/**
 * Starts a PgBouncer before a Postgres, reachable through a unix socket in a temporary directory only, as it is by default: it refuses what
 * it does not know. `through` is the address of one of that Postgres's databases, through it.
 */
export async function startPgBouncer({
  postgres,
  mode = 'transaction',
  sessions = 3,
}: PgBouncerOptions): Promise<{ through(url: string): string; stop(): Promise<void> }> {
  const binary = findPgBouncer()
  if (binary === undefined)
    throw new Error("PgBouncer is not installed: Debian's package is called pgbouncer.")
  const directory = mkdtempSync(join(tmpdir(), 'heyline-pgbouncer-'))
  const owner = process.getuid?.() === 0 ? systemUser('postgres') : undefined
  const [users, settings] = [join(directory, 'users.txt'), join(directory, 'pgbouncer.ini')]
  writeFileSync(users, '"postgres" ""\n')
  writeFileSync(
    settings,
    `[databases]
* = host=${new URL(postgres).searchParams.get('host')}
[pgbouncer]
pool_mode = ${mode}
default_pool_size = ${sessions}
max_client_conn = 500
auth_type = trust
auth_file = ${users}
unix_socket_dir = ${directory}
listen_port = ${PORT}
logfile =
`,
  )
  if (owner) for (const path of [directory, users, settings]) chownSync(path, owner.uid, owner.gid)
  const bouncer = spawn(binary, [settings], { cwd: directory, stdio: 'ignore', ...owner })
  const exited = new Promise<void>((resolve) => {
    bouncer.once('exit', () => resolve())
    bouncer.once('error', () => resolve())
  })
  const atExit = (): void => {
    bouncer.kill('SIGKILL')
    rmSync(directory, { recursive: true, force: true })
  }
  process.once('exit', atExit)
  const stop = async (): Promise<void> => {
    process.off('exit', atExit)
    bouncer.kill('SIGTERM') // at once; SIGINT would wait for its clients
    await exited
    rmSync(directory, { recursive: true, force: true })
  }
  const through = (url: string): string => {
    const address = new URL(url)
    address.port = String(PORT)
    address.searchParams.set('host', directory)
    return address.href
  }
  for (const deadline = Date.now() + START_TIMEOUT_MS; ; ) {
    const client = new Client({ connectionString: through(postgres) })
    try {
      await client.connect()
      await client.end()
      return { through, stop }
    } catch (cause) {
      await client.end().catch(() => {})
      if (bouncer.exitCode !== null || bouncer.pid === undefined || Date.now() > deadline) {
        await stop()
        throw new Error('PgBouncer did not start.', { cause })
      }
      await delay(50)
    }
  }
}
