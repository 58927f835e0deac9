import { type Section, Sections } from './section.js'

const MARKS = /^ {0,3}#{1,6}(?=\s)/
const FENCE = /^ {0,3}(```|~~~)/

/** The text of a file's bytes: UTF-8, UTF-16 with its mark, or what old programs of Windows write. */
export function decoded(content: Uint8Array): string {
  const [first, second] = content
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(content)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(content)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch {
    return new TextDecoder('windows-1252').decode(content)
  }
}

export function plainText(content: Uint8Array): Section[] {
  const sections = new Sections()
  sections.add({ text: decoded(content) })
  return sections.all()
}

/** A section for each heading that begins with `#`. The marks of Markdown in the text stay: models read them. */
export function markdownText(content: Uint8Array): Section[] {
  const sections = new Sections()
  let heading: string | undefined
  let lines: string[] = []
  let isCode = false
  const end = () => {
    sections.add({ ...(heading !== undefined && { heading }), text: lines.join('\n') })
    lines = []
  }
  for (const line of decoded(content).split(/\r\n?|\n/)) {
    if (FENCE.test(line)) isCode = !isCode
    const found = isCode ? undefined : headingOf(line)
    if (found === undefined) lines.push(line)
    else {
      end()
      heading = found
    }
  }
  end()
  return sections.all()
}

/** What stands between the marks of a heading. One expression for all of it would try each way to share the spaces of a long line. */
function headingOf(line: string): string | undefined {
  const marks = MARKS.exec(line)?.[0]
  if (marks === undefined) return undefined
  const text = line.slice(marks.length).trim()
  let end = text.length
  while (text[end - 1] === '#') end -= 1
  const heading = text.slice(0, end).trimEnd()
  return heading === '' ? undefined : heading
}
