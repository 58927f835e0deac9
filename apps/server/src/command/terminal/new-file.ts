import { randomBytes } from 'node:crypto'
import { open, rename, rm, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { CommandError } from './command-error.js'

/**
 * Writes a file that only this user can read: beside it first, and in its place once all of it is on the disk; so is its
 * name when this is done. A failure leaves an older file as it was. Rejects with a `CommandError` where no such file can be.
 */
export async function writeBeside(file: string, parts: AsyncIterable<string | Uint8Array>): Promise<void> {
  const target = resolve(file)
  const draft = `${target}.${randomBytes(4).toString('hex')}.partial`
  const refuse = (error: unknown) => {
    throw refusalOf(file, error)
  }
  if ((await stat(target).catch(() => undefined))?.isDirectory()) refuse({ code: 'EISDIR' })
  const handle = await open(draft, 'wx', 0o600).catch(refuse)
  try {
    for await (const part of parts) await handle.writeFile(part).catch(refuse)
    await handle.sync().catch(refuse)
    await handle.close()
    await rename(draft, target)
  } catch (error) {
    await handle.close().catch(() => {})
    await rm(draft, { force: true })
    throw error
  }
  await syncFolder(dirname(target))
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'its folder is not there',
  ENOTDIR: 'its folder is a file',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'nothing can be written there',
  ENAMETOOLONG: 'its name is too long',
  ENOSPC: 'no room is left on its disk',
  EDQUOT: 'this user may not write more there',
}

function refusalOf(file: string, error: unknown): unknown {
  const reason = REASONS[String(Object(error).code)]
  return reason ? new CommandError('no_file', `${file} can't be written: ${reason}`, { cause: error }) : error
}

/** A rename is on the disk only once its folder is. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
