import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import type { KeyRing } from '../keys/key-ring.js'
import { field } from './ask.js'
import { type Finding, fail, ok } from './finding.js'

/** A key of `keys.json`, read only (a start would make what is missing); undefined where it is not there. */
export function storedKey(dataDirectory: string, name: keyof KeyRing): string | undefined {
  try {
    const key = field(JSON.parse(readFileSync(join(dataDirectory, 'keys.json'), 'utf8')), name)
    return typeof key === 'string' ? key : undefined
  } catch {
    return undefined
  }
}

const keys = z.record(z.string(), z.string().min(16))

/** The file of generated keys, read only: `heyline keys` and a start would add what is missing. */
export function checkKeys(directory: string): Finding {
  const file = resolve(join(directory, 'keys.json'))
  if (!existsSync(file)) return ok('keys', `${file} is not there yet: the first start makes it`)
  try {
    keys.parse(JSON.parse(readFileSync(file, 'utf8')))
    return ok('keys', `${file} can be read`)
  } catch {
    return fail(
      'keys',
      `${file} is not a file of keys that this user can read`,
      'restore it, or move it away to have new keys made',
    )
  }
}
