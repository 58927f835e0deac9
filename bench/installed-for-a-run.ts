import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const INSTALL_MS = 120_000

/** A package in a temporary folder: what only the bench uses is not installed with the project. */
export interface Installed {
  /** From which its name is found. */
  folder: string
  remove(): Promise<void>
}

/** Installs `NAME@VERSION` for this run; undefined where that is not possible. */
export async function installForTheRun(what: string): Promise<Installed | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'heyline-bench-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  const words = ['install', '--no-save', '--no-package-lock', '--ignore-scripts', '--silent']
  try {
    await promisify(execFile)('npm', [...words, '--prefix', folder, what], {
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
