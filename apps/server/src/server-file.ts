import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const contents = z.object({
  url: z.url(),
  pid: z.int().positive(),
  /** Which database it runs on (`databaseName`). */
  database: z.string(),
})

/** Longest that a running server may take to say that it is there, in ms. */
const PATIENCE_MS = 3_000

/** Where a running server of this data directory is found. */
export type ServerFile = z.output<typeof contents>

const fileOf = (directory: string) => join(directory, 'server.json')

/** Says where this server runs, for the commands (0600). */
export function writeServerFile(directory: string, running: ServerFile) {
  writeFileSync(fileOf(directory), `${JSON.stringify(running)}\n`, { mode: 0o600 })
}

/**
 * The server that runs on this data directory; undefined where none does. A file that a killed server left is not believed,
 * also when another process has its id by now: the server itself must answer.
 */
export async function findRunningServer(directory: string): Promise<ServerFile | undefined> {
  const running = readServerFile(directory)
  if (!running) return undefined
  try {
    await fetch(`${running.url}/-/health`, { signal: AbortSignal.timeout(PATIENCE_MS) })
    return running
  } catch {
    return undefined
  }
}

function readServerFile(directory: string): ServerFile | undefined {
  try {
    return contents.parse(JSON.parse(readFileSync(fileOf(directory), 'utf8')))
  } catch {
    return undefined
  }
}

export function removeServerFile(directory: string) {
  rmSync(fileOf(directory), { force: true })
}
