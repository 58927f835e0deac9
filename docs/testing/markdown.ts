/** A heading, and the fragment by which GitHub links to it. */
export interface Heading {
  level: number
  text: string
  anchor: string
}

/** The lines outside fenced code, where nothing is Markdown. */
export function linesOf(markdown: string): string[] {
  let fence: string | undefined
  return markdown.split('\n').filter((line) => {
    const [, mark] = /^\s*(`{3,}|~{3,})/.exec(line) ?? []
    if (fence === undefined && mark === undefined) return true
    if (fence === undefined) fence = mark
    else if (mark?.startsWith(fence)) fence = undefined
    return false
  })
}

export function headingsOf(markdown: string): Heading[] {
  const seen = new Map<string, number>()
  return linesOf(markdown).flatMap((line) => {
    const [, marks, text] = /^(#{1,6}) (.+)$/.exec(line) ?? []
    if (!marks || !text) return []
    const anchor = anchorOf(text)
    const before = seen.get(anchor) ?? 0
    seen.set(anchor, before + 1)
    return [{ level: marks.length, text, anchor: before === 0 ? anchor : `${anchor}-${before}` }]
  })
}

/** As GitHub makes it: lower case, without punctuation, a hyphen for each space. */
const anchorOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')

/** The targets of all links and pictures, but those in code. */
export function linksOf(markdown: string): string[] {
  const prose = linesOf(markdown)
    .join('\n')
    .replaceAll(/`[^`]*`/g, '`')
  return Array.from(prose.matchAll(/\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)/g), ([, target = '']) => target)
}

/** What stands between backticks in a line. */
export const codeOf = (line: string): string[] =>
  Array.from(line.matchAll(/`([^`]+)`/g), ([, code = '']) => code)

/** The rows of all tables, without their heads; a cell is trimmed. */
export function rowsOf(markdown: string): string[][] {
  const lines = linesOf(markdown)
  return lines.flatMap((line, index) => {
    const isHead = isRule(lines[index + 1])
    if (!line.startsWith('|') || isHead || isRule(line)) return []
    return [
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    ]
  })
}

const isRule = (line = ''): boolean => /^\|[\s:|-]+\|$/.test(line)
