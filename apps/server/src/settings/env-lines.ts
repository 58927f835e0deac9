import { parseEnv } from 'node:util'
import { SettingError } from '@heyline/kit/setting-error'

/** `NAME=value`, with or without `export` before it. */
const STATEMENT = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*)$/
const QUOTES = new Set(['"', "'", '`'])

/**
 * What a file of settings says: `NAME=value` lines as Node's `--env-file` reads them, but nothing that Node would guess at or pass over.
 * Throws a `SettingError` that names the first line that can't be read, and never repeats what stands there: it may be a secret.
 */
export function parseEnvLines(text: string, file: string): ReadonlyMap<string, string> {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  const values = new Map<string, string>()
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    if (/^\s*(#|$)/.test(line)) continue
    const first = at
    const refuse = (why: string) => new SettingError(`${file}, line ${first + 1}`, why)
    const [, name, written] = STATEMENT.exec(line) ?? []
    if (name === undefined || written === undefined)
      throw refuse('is no NAME=value, where a name has letters, digits and _')
    const quote = written.slice(0, 1)
    if (QUOTES.has(quote)) {
      at = lineOfEnd(lines, at, written.slice(1), quote)
      if (at < 0) throw refuse(`the value of ${name} begins with ${quote}, which is never closed`)
      const rest = at === first ? written.slice(1) : (lines[at] ?? '')
      if (!/^\s*(#|$)/.test(rest.slice(rest.indexOf(quote) + 1)))
        throw refuse(`something follows the ${quote} that ends the value of ${name}`)
    } else if (/\S#/.test(written.replace(/(^|\s)#.*$/, '')))
      throw refuse(`a # begins a comment: put the value of ${name} in quotes`)
    const value = parseEnv([`${name}=${written}`, ...lines.slice(first + 1, at + 1)].join('\n'))[name]
    if (value === undefined) throw refuse('can not be read')
    values.set(name, value)
  }
  return values
}

/** The line in which a value ends that has begun with this quote; -1 where it never does. */
function lineOfEnd(lines: readonly string[], at: number, begun: string, quote: string): number {
  return begun.includes(quote) ? at : lines.findIndex((line, index) => index > at && line.includes(quote))
}
