import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { SettingError } from '@heyline/kit/setting-error'
import { parseEnvLines } from './env-lines.js'

/** What is read without anybody having named it. */
const USUAL = '.env'

/**
 * Adds to the environment what its file says: the one that `ENV_FILE` names, else `.env` in this directory if there is one. What the
 * environment has already stays. Returns a line for the person who runs the command; undefined where no file was read.
 * Throws a `SettingError` for a file that can't be read.
 */
export function takeEnvFile(env: NodeJS.ProcessEnv, directory: string): string | undefined {
  const named = env.ENV_FILE || undefined
  if (named === 'off') return undefined
  const file = named ?? USUAL
  const text = textOf(resolve(directory, file), named)
  if (text === undefined) return undefined
  const values = parseEnvLines(text, file)
  const kept = [...values.keys()].filter((name) => env[name] !== undefined)
  for (const [name, value] of values) env[name] ??= value
  const settings = `${values.size} setting${values.size === 1 ? '' : 's'}`
  return `Reading ${settings} from ${file}${kept.length > 0 ? `; the environment has its own ${kept.join(', ')}` : ''}`
}

/** Undefined where nobody has named the file, and there is none. */
function textOf(path: string, named: string | undefined): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path))
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
    // A folder of that name is somebody's Python. In a folder that is closed to this user nobody has put a file for it.
    if (named === undefined && (code === 'ENOENT' || code === 'EISDIR' || !isSeen(path))) return undefined
    const why = WHY[String(code)] ?? (cause instanceof Error ? cause.message : String(cause))
    if (named === undefined) throw new SettingError(USUAL, `can't be read: ${why}`, { cause })
    throw new SettingError('ENV_FILE', `${path} can't be read: ${why}`, { cause })
  }
}

function isSeen(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}

const WHY: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not',
  ERR_ENCODING_INVALID_ENCODED_DATA: 'it is no UTF-8 text',
}
