import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { KeyRing } from '../keys/key-ring.js'

/** The keys that a server has made in its data directory. */
export const readServerKeys = (directory: string): KeyRing =>
  JSON.parse(readFileSync(join(directory, 'keys.json'), 'utf8'))
