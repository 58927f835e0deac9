import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { SettingError } from '@heyline/kit/setting-error'
import type { Settings } from '../settings/settings.js'
import { type KeyRing, openKeyRing } from './key-ring.js'

/** Makes the data directory where there is none (0700), and opens its keys. Throws a `SettingError` for `DATA_DIR`. */
export function openDataDirectory(directory: string, given: Settings['keys']): KeyRing {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    return openKeyRing(directory, given)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new SettingError('DATA_DIR', `${resolve(directory)} can't be used: ${reason}`, { cause: error })
  }
}
