import { randomBytes } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { resolve } from 'node:path'

/**
 * Writes a file that only this user can read: beside it first, and in its place once all of it is on the disk. A failure
 * leaves an older file as it was.
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
}
