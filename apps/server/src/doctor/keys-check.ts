import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import { keyFile } from '../keys/key-file.js'
import type { Settings } from '../settings/settings.js'
import { type Finding, fail, ok } from './finding.js'

const keys = z.record(z.string(), z.string().min(16))

/** The file of generated keys, read only: `heyline keys` and a start would add what is missing. */
export function checkKeys(directory: string, { root }: Settings['keys']): Finding {
  if (root !== undefined) return ok('keys', 'those that are not set derive from HEYLINE_SECRET')
  const file = resolve(keyFile(directory))
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
