import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { KeyRing } from './keys.js'

const key = z.string().min(16)
const stored: z.ZodType<Partial<KeyRing>> = z.object({
  publishable: key.optional(),
  secret: key.optional(),
  jwtSecret: key.optional(),
  platformPublic: key.optional(),
  platformPrivate: key.optional(),
  hookSecret: key.optional(),
})

/** Where keys are kept that nobody gave. */
export const keyFile = (directory: string): string => join(directory, 'keys.json')

/** What `keys.json` has; nothing where it is not there. Throws where it can't be read or is not ours: replacing keys in use would lock people out. */
export function readKeyFile(file: string): Partial<KeyRing> {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {}
    throw new Error(`${file} can't be read: make it readable for this user`, { cause: error })
  }
  try {
    return stored.parse(JSON.parse(text))
  } catch (error) {
    throw new Error(`${file} is not a file of keys: restore it, or move it away to have new keys made`, {
      cause: error,
    })
  }
}

/** The same, and nothing where it is no file of keys, for those who do without it. */
export function keysLeft(directory: string): Partial<KeyRing> {
  try {
    return readKeyFile(keyFile(directory))
  } catch {
    return {}
  }
}

/** Stores the keys durably (0600). False where another process has stored its own first: those are to be used. */
export function writeKeyFile(file: string, keys: KeyRing, isNew: boolean): boolean {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${randomBytes(4).toString('hex')}`
  const handle = openSync(draft, 'wx', 0o600)
  try {
    writeSync(handle, `${JSON.stringify(keys, null, 2)}\n`)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  if (!isNew) {
    renameSync(draft, file)
    return true
  }
  try {
    linkSync(draft, file)
    rmSync(draft)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') {
      rmSync(draft)
      return false
    }
    // Not every file system has links.
    renameSync(draft, file)
    return true
  }
}
