/** What a semicolon does not end a statement in: quoted text, names, dollar quotes, comments. */
const OPAQUE = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|\$([A-Za-z_]\w*)?\$[\s\S]*?\$\1\$/y
/** Where one of those begins that has not ended yet. */
const BEGINS = /['"]|\/\*|\$(?:[A-Za-z_]\w*)?\$/y

/** The statements of a text that a semicolon ends, and what stands behind the last. */
export function splitStatements(text: string): { statements: string[]; rest: string } {
  const statements: string[] = []
  let start = 0
  for (let at = 0; at < text.length; ) {
    OPAQUE.lastIndex = at
    BEGINS.lastIndex = at
    if (OPAQUE.test(text)) at = OPAQUE.lastIndex
    else if (BEGINS.test(text)) break
    else if (text[at++] === ';') {
      statements.push(text.slice(start, at - 1))
      start = at
    }
  }
  return { statements, rest: text.slice(start) }
}
