import { randomBytes } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/**
 * Writes a file that only this user can read: beside it first, and in its place once all of it is on the disk; so is its
 * name when this is done. A failure leaves an older file as it was.
 */
export async function writeBeside(file: string, parts: AsyncIterable<string | Uint8Array>): Promise<void> {
  const target = resolve(file)
  const draft = `${target}.${randomBytes(4).toString('hex')}.partial`
  const handle = await open(draft, 'wx', 0o600)
  try {
    for await (const part of parts) await handle.writeFile(part)
    await handle.sync()
    await handle.close()
    await rename(draft, target)
  } catch (error) {
    await handle.close().catch(() => {})
    await rm(draft, { force: true })
    throw error
  }
  await syncFolder(dirname(target))
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
