/** An array of text values as Postgres writes it; nested for more dimensions. */
export type ArrayText = (string | null | ArrayText)[]

/**
 * Reads `{a,"b c",NULL,{…}}`, the text form of an array. Explicit bounds (`[0:1]={…}`) are dropped.
 * https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO
 */
export function parseArrayText(text: string): ArrayText {
  let at = text.indexOf('{')

  const quoted = (): string => {
    let value = ''
    for (at++; text[at] !== '"'; at++) {
      if (text[at] === '\\') at++
      value += text[at] ?? ''
      if (at >= text.length) break
    }
    at++
    return value
  }
  const bare = (): string | null => {
    const start = at
    while (at < text.length && text[at] !== ',' && text[at] !== '}') at++
    const value = text.slice(start, at)
    return value === 'NULL' ? null : value
  }
  const array = (): ArrayText => {
    const items: ArrayText = []
    at++
    while (at < text.length && text[at] !== '}') {
      if (text[at] === ',') at++
      else if (text[at] === '{') items.push(array())
      else if (text[at] === '"') items.push(quoted())
      else items.push(bare())
    }
    at++
    return items
  }
  return array()
}
