import { RestError } from '../rest-error.js'

/** Splits at the commas that stand outside of quotes and parentheses; items keep their quotes. `''` is no item. */
export function splitList(text: string): string[] {
  const items: string[] = []
  let item = ''
  let depth = 0
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    if (character === '\\' && quoted) item += character + text.charAt(++at)
    else if (character === ',' && !quoted && depth === 0) {
      items.push(item)
      item = ''
    } else {
      item += character
      if (character === '"') quoted = !quoted
      else if (character === '(' && !quoted) depth++
      else if (character === ')' && !quoted) depth--
    }
  }
  return items.length === 0 && item === '' ? [] : [...items, item]
}

/** `"a \"b\""` as `a "b"`; a text without quotes around it as it is. */
export function unquote(text: string): string {
  return /^".*"$/s.test(text) && text.length > 1 ? text.slice(1, -1).replace(/\\(.)/gs, '$1') : text
}

/** The name of a column where the query string may have only that: no path into JSON, no other table's column. */
export function columnName(text: string): string {
  if (/^"/.test(text)) return unquote(text)
  if (text.includes('->')) throw RestError.notServed(`A path into JSON (${text})`)
  if (/[.()]/.test(text)) throw RestError.notServed(`Another table's column or an aggregate (${text})`)
  return text
}
