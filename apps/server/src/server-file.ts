import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const contents = z.object({ url: z.url(), pid: z.int().positive() })

/** Where a running server of this data directory is found. */
export type ServerFile = z.output<typeof contents>

const fileOf = (directory: string) => join(directory, 'server.json')

/** Says where this server runs, for the commands (0600). */
export function writeServerFile(directory: string, running: ServerFile) {
  writeFileSync(fileOf(directory), `${JSON.stringify(running)}\n`, { mode: 0o600 })
}

/** The server that runs on this data directory; undefined where none does, also after one was killed. */
export function readServerFile(directory: string): ServerFile | undefined {
  try {
    const running = contents.parse(JSON.parse(readFileSync(fileOf(directory), 'utf8')))
    process.kill(running.pid, 0)
    return running
  } catch {
    return undefined
  }
}

export function removeServerFile(directory: string) {
  rmSync(fileOf(directory), { force: true })
}
