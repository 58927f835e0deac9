import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { isProof, newNonce } from './server-proof.js'

const contents = z.object({
  url: z.url(),
  pid: z.int().positive(),
  /** Which database it runs on (`databaseName`). */
  database: z.string(),
  /** With it the server proves that it is the one that wrote this file (`server-proof.ts`). */
  proofKey: z.string().min(40),
})

/** Of its health. */
const proven = z.object({ proof: z.string() })

/** Longest that a running server may take to say that it is there, in ms. */
const PATIENCE_MS = 3_000

type Contents = z.output<typeof contents>

/** Where a running server of this data directory is found. */
export type ServerFile = Omit<Contents, 'proofKey'>

const fileOf = (directory: string) => join(directory, 'server.json')

/** Says where this server runs, for the commands (0600). */
export function writeServerFile(directory: string, running: Contents) {
  writeFileSync(fileOf(directory), `${JSON.stringify(running)}\n`, { mode: 0o600 })
}

/**
 * The server that runs on this data directory, or undefined. The file alone proves nothing: a killed server may have left it, and another
 * process may have its id or its port now. The server itself must answer, and prove that it wrote the file.
 */
export async function findRunningServer(directory: string): Promise<ServerFile | undefined> {
  const written = readServerFile(directory)
  if (!written) return undefined
  const { proofKey, ...running } = written
  const nonce = newNonce()
  try {
    const answer = await fetch(`${running.url}/-/health?nonce=${nonce}`, {
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    const { proof } = proven.parse(await answer.json())
    return isProof(proof, proofKey, nonce) ? running : undefined
  } catch {
    return undefined
  }
}

function readServerFile(directory: string): Contents | undefined {
  try {
    return contents.parse(JSON.parse(readFileSync(fileOf(directory), 'utf8')))
  } catch {
    return undefined
  }
}

export function removeServerFile(directory: string) {
  rmSync(fileOf(directory), { force: true })
}
