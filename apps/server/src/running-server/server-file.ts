import { randomBytes } from 'node:crypto'
import { linkSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { boundedText } from '@heyline/kit/bounded-bytes'
import { z } from 'zod'
import { isProof, newNonce } from './server-proof.js'

const contents = z.object({
  url: z.url(),
  pid: z.int().positive(),
  /** Which database it runs on (`databaseName`). */
  database: z.string(),
  /** With it the server proves that it is the one that wrote this file (`server-proof.ts`). */
  proofKey: z.string().min(40),
  /** The machine, or container, that can see its process and its port. Earlier versions did not say. */
  host: z.string().optional(),
})

/** Of its health. */
const proven = z.object({ proof: z.string(), ready: z.boolean() })

/** Longest that a running server may take to say that it is there, in ms. */
const PATIENCE_MS = 3_000
/** Longest answer about its health that is read, in bytes; its own have some hundreds. */
const MOST_HEALTH_BYTES = 100_000

/** The file of the only server, or of the first one; and of others, each with a name of its own. */
const FIRST = 'server.json'
const NAMES = /^server(-[0-9a-f]{8})?\.json$/

/** Files of other machines are left for so long, because their servers can't be asked from here. */
const ELSEWHERE_DAYS = 30
const DAY_MS = 86_400_000

type Contents = z.output<typeof contents>

/** Where a running server of this data directory is found. */
export type ServerFile = Pick<Contents, 'url' | 'pid' | 'database'>

/** A file as it stands; without contents where it is not one of ours. */
interface Found {
  file: string
  text: string
  written: Contents | undefined
}

/**
 * Says where this server runs, for the commands (0600), and takes away what dead servers left. Several servers may have one data directory,
 * each with a file. Resolves with what removes this server's file, and no other.
 */
export async function writeServerFile(
  directory: string,
  running: Omit<Contents, 'host'>,
): Promise<() => void> {
  await removeDead(directory, running.database)
  const written = { ...running, host: hostname() } satisfies Contents
  const own = join(directory, `server-${randomBytes(4).toString('hex')}.json`)
  const draft = `${own}.draft`
  writeFileSync(draft, `${JSON.stringify(written)}\n`, { mode: 0o600, flag: 'wx' })
  try {
    linkSync(draft, join(directory, FIRST))
    rmSync(draft)
  } catch {
    // Somebody has it, or this file system has no links.
    renameSync(draft, own)
  }
  return () => {
    for (const found of filesIn(directory))
      if (found.written?.proofKey === running.proofKey) rmSync(found.file, { force: true })
  }
}

/**
 * A server that runs on this data directory, or undefined: one on the named database, and one that is ready, where there are several. A file
 * alone proves nothing: a killed server may have left it, and another process may have its id or its port now. The server itself must answer,
 * and prove that it wrote the file.
 */
export async function findRunningServer(
  directory: string,
  database?: string,
): Promise<ServerFile | undefined> {
  const written = filesIn(directory).flatMap(({ written }) => written ?? [])
  const asked = await Promise.all(written.map(async (one) => ({ one, state: await ask(one) })))
  const live = asked.filter(({ state }) => state === 'ready' || state === 'not-ready')
  const rank = ({ one, state }: (typeof live)[number]) =>
    (database === undefined || one.database === database ? 0 : 2) + (state === 'ready' ? 0 : 1)
  const [found] = live.toSorted((a, b) => rank(a) - rank(b))
  if (!found) return undefined
  const { url, pid, database: its } = found.one
  return { url, pid, database: its }
}

/** The names of the files that servers have written there. */
export function serverFileNames(directory: string): string[] {
  try {
    return readdirSync(directory)
      .filter((name) => NAMES.test(name))
      .sort((a, b) => Number(b === FIRST) - Number(a === FIRST))
  } catch {
    return []
  }
}

/** What the server of a file says: it is the one, and ready or not; another one is there, or nobody listens; nothing that tells which it is. */
type State = 'ready' | 'not-ready' | 'gone' | 'silent'

async function ask({ url, proofKey }: Contents): Promise<State> {
  const nonce = newNonce()
  const signal = AbortSignal.timeout(PATIENCE_MS)
  try {
    const answer = await fetch(`${url}/-/health?nonce=${nonce}`, { redirect: 'error', signal })
    const { proof, ready } = proven.parse(JSON.parse(await boundedText(answer, MOST_HEALTH_BYTES, signal)))
    if (!isProof(proof, proofKey, nonce)) return 'gone'
    return ready ? 'ready' : 'not-ready'
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined
    return cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED' ? 'gone' : 'silent'
  }
}

async function removeDead(directory: string, database: string): Promise<void> {
  await Promise.all(
    filesIn(directory).map(async (found) => {
      if (await isDead(found, database)) takeAway(directory, found)
    }),
  )
}

/** A server that may only be slow is not dead. */
async function isDead({ file, written }: Found, database: string): Promise<boolean> {
  if (!written) return true
  // A PGlite is one process's alone, and it is ours now.
  if (database === 'pglite' && written.database === database) return true
  const state = await ask(written)
  if (state === 'ready' || state === 'not-ready') return false
  if (written.host !== undefined && written.host !== hostname()) return ageOf(file) > ELSEWHERE_DAYS * DAY_MS
  return state === 'gone' || !isAlive(written.pid)
}

/** Moves the file away; if what was moved is another server's after all, gives it a name of its own. */
function takeAway(directory: string, { file, text }: Found): void {
  const aside = join(directory, `server-${randomBytes(4).toString('hex')}.json`)
  try {
    renameSync(file, aside)
    if (readFileSync(aside, 'utf8') === text) rmSync(aside)
  } catch {
    // Another server was faster.
  }
}

const filesIn = (directory: string): Found[] =>
  serverFileNames(directory).flatMap((name) => {
    const file = join(directory, name)
    const text = textOf(file)
    return text === undefined ? [] : [{ file, text, written: parsed(text) }]
  })

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

function parsed(text: string): Contents | undefined {
  try {
    return contents.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

function ageOf(file: string): number {
  try {
    return Date.now() - statSync(file).mtimeMs
  } catch {
    return 0
  }
}

/** Whether a process of this machine has the id. It may be another one by now. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
