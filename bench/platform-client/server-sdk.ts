import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** The newest that is as old as the pinned `@vapi-ai/web`. It declares no licence: it is fetched for a run, and is no dependency. */
export const SERVER_SDK = '@vapi-ai/server-sdk@0.11.0'
const INSTALL_MS = 60_000

/** The peer in a temporary folder. */
export interface ServerSdk {
  /** From which its name is found. */
  folder: string
  remove(): Promise<void>
}

/** Installs the peer for this run; undefined where that is not possible. */
export async function installServerSdk(): Promise<ServerSdk | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'heyline-server-sdk-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  const words = ['install', '--no-save', '--no-package-lock', '--ignore-scripts', '--silent']
  try {
    await promisify(execFile)('npm', [...words, '--prefix', folder, SERVER_SDK], {
      cwd: folder,
      timeout: INSTALL_MS,
      shell: process.platform === 'win32',
    })
    return { folder, remove }
  } catch {
    await remove()
    return undefined
  }
}
