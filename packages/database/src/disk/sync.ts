import { closeSync, fsyncSync, openSync } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Puts one file's content, or a directory's entries, safely on disk. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** A directory with everything in it; several at a time, which lets the file system do them in one go. */
export async function syncTree(path: string): Promise<void> {
  const entries = await readdir(path, { withFileTypes: true })
  await Promise.all(
    entries.map(async (entry) => {
      const child = join(path, entry.name)
      if (entry.isDirectory()) await syncTree(child)
      else if (entry.isFile()) await sync(child)
    }),
  )
  await sync(path)
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
