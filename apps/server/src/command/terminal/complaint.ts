import { SettingError } from '@heyline/kit/setting-error'
import { CommanderError } from 'commander'
import { RowsRefused } from './command-error.js'

/**
 * Says on standard error why a command failed: one line for people, or with `--json`
 * `{"error":{"code","message"}}`, with `setting` or `rows` where they are known.
 */
export function complain(error: unknown, json: boolean): void {
  if (json) {
    console.error(JSON.stringify({ error: fieldsOf(error) }))
    return
  }
  // What the words of a command are wrong in, the command's parser has said already.
  if (error instanceof CommanderError) return
  // What a person can mend is one line; a defect keeps its stack.
  console.error(isMendable(error) ? `heyline: ${error.message}` : error)
}

const isMendable = (error: unknown): error is Error =>
  error instanceof SettingError || (error instanceof Error && 'code' in error)

function fieldsOf(error: unknown) {
  if (!(error instanceof Error)) return { code: 'internal', message: String(error) }
  const { message } = error
  if (error instanceof SettingError) return { code: 'invalid_setting', message, setting: error.setting }
  if (error instanceof CommanderError) return { code: 'usage', message: message.replace(/^error: /, '') }
  if (error instanceof RowsRefused) return { code: error.code, message: error.summary, rows: error.rows }
  return { code: 'code' in error ? String(error.code) : 'internal', message }
}
