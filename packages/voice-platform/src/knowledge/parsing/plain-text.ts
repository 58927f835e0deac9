import { type Section, Sections } from './section.js'

const MARKED_HEADING = /^ {0,3}#{1,6}\s+(.+?)\s*#*\s*$/
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
    const found = isCode ? undefined : MARKED_HEADING.exec(line)?.[1]
    if (found === undefined) lines.push(line)
    else {
      end()
      heading = found
    }
  }
  end()
  return sections.all()
}
