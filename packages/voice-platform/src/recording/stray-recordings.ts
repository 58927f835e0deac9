import type { NamedRecording } from './recording-files.js'
import type { RecordingFolder } from './recording-folder.js'
import type { RecordingStore } from './recording-store.js'

/** Files of which the database is asked at once. */
const AT_ONCE = 100
/** How long a file lies still before it counts as one that nobody writes, in milliseconds. */
const STILL_MS = 3_600_000
const DAY_MS = 86_400_000

export interface StrayRecordingsOptions {
  folder: RecordingFolder
  store: RecordingStore
  /** How long recordings are kept. */
  days: number
  now: () => number
}

/**
 * Removes the files that no row names: a database that was restored knows nothing of recordings made since its backup. Each recording has its
 * row before its files, so those of a call that runs always have one. A database that has not known the folder for a day may be the wrong
 * one: then files stay as long as recordings do. Resolves with how many files were removed.
 */
export async function removeStrays(
  disk: string,
  { folder, store, days, now }: StrayRecordingsOptions,
): Promise<number> {
  const stillMs = (await store.knows(disk)) ? STILL_MS : Math.max(STILL_MS, days * DAY_MS)
  let removed = 0
  const remove = async (files: readonly NamedRecording[]) => {
    const strays = new Set(await store.strays(files.map(({ callId }) => callId)))
    for (const file of files)
      if (strays.has(file.callId) && (await folder.removeStill(file, now() - stillMs))) removed += 1
  }
  let files: NamedRecording[] = []
  for await (const file of folder.files()) {
    files.push(file)
    if (files.length < AT_ONCE) continue
    await remove(files)
    files = []
  }
  if (files.length > 0) await remove(files)
  return removed
}
