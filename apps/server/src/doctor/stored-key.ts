import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { KeyRing } from '../keys/key-ring.js'
import { field } from './ask.js'

/** A key of `keys.json`, read only (a start would make what is missing); undefined where it is not there. */
export function storedKey(dataDirectory: string, name: keyof KeyRing): string | undefined {
  try {
    const key = field(JSON.parse(readFileSync(join(dataDirectory, 'keys.json'), 'utf8')), name)
    return typeof key === 'string' ? key : undefined
  } catch {
    return undefined
  }
}
