/** What a semicolon does not end a statement in: quoted text, names, dollar quotes, comments of a line. */
const OPAQUE =
  /(?<![\w$\u0080-\uffff])[eE]'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|(?<![\w$\u0080-\uffff])\$([A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$[\s\S]*?\$\1\$/y
/** Where one of those begins that has not ended yet. */
const BEGINS =
  /(?<![\w$\u0080-\uffff])[eE]'|['"]|(?<![\w$\u0080-\uffff])\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/y

/** The statements of a text that a semicolon ends, and what stands behind the last. */
export function splitStatements(text: string): { statements: string[]; rest: string } {
  const statements: string[] = []
  let start = 0
  for (let at = 0; at < text.length; ) {
    OPAQUE.lastIndex = at
    BEGINS.lastIndex = at
    if (text.startsWith('/*', at)) at = endOfComment(text, at)
    else if (OPAQUE.test(text)) at = OPAQUE.lastIndex
    else if (BEGINS.test(text)) break
    else if (text[at++] === ';') {
      statements.push(text.slice(start, at - 1))
      start = at
    }
  }
  return { statements, rest: text.slice(start) }
}

/** Where the text goes on behind white space and comments. */
export function skipBlank(text: string, from = 0): number {
  for (let at = from; ; ) {
    const line = /\s+|--[^\n]*/y
    line.lastIndex = at
    if (line.test(text)) at = line.lastIndex
    else if (text.startsWith('/*', at)) at = endOfComment(text, at)
    else return at
  }
}

/** Behind the comment that begins there: Postgres nests them. The text's end where it has not ended. */
function endOfComment(text: string, start: number): number {
  const marks = /\/\*|\*\//g
  marks.lastIndex = start
  let depth = 0
  for (let mark = marks.exec(text); mark; mark = marks.exec(text)) {
    depth += mark[0] === '/*' ? 1 : -1
    if (depth === 0) return marks.lastIndex
  }
  return text.length
}
