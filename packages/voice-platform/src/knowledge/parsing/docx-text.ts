import { Unzip, UnzipInflate } from 'fflate'
import { Parser } from 'htmlparser2'
import { type Section, Sections, UnreadableFile } from './section.js'

/** Where the words of a document are (ECMA-376, part 1, 11.3.10). */
const DOCUMENT = 'word/document.xml'
/** Most bytes of that: a zip of some kilobytes can hold terabytes. */
const MOST_XML = 50_000_000
/** Deepest that elements stand in each other, as other parsers of XML have it. The time of each end grows with it. */
const MOST_DEPTH = 256
/** Bytes that are unzipped at a time: they become a thousand times as many at most. */
const STEP = 8_000

const TOO_DEEP = `The document has elements that are nested more than ${MOST_DEPTH} deep: it may be damaged. Save it again in Word.`

/** A section for each paragraph with a style of headings. Only the document itself is unzipped. */
export function docxText(content: Uint8Array, mostBytes = MOST_XML): Section[] {
  const sections = new Sections()
  let heading: string | undefined
  let text = ''
  let paragraph = ''
  let isHeading = false
  let isText = false
  let depth = 0
  const end = () => {
    sections.add({ ...(heading !== undefined && { heading }), text })
    text = ''
  }
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth += 1
        if (depth > MOST_DEPTH) throw new UnreadableFile(TOO_DEEP)
        if (name === 'w:p') {
          paragraph = ''
          isHeading = false
        } else if (name === 'w:t') isText = true
        else if (name === 'w:tab') paragraph += ' '
        else if (name === 'w:br') paragraph += '\n'
        else if (name === 'w:pStyle')
          isHeading = /^(heading|berschrift|titre|t[ií]tulo|title)/i.test(styleOf(attributes))
        else if (name === 'w:outlineLvl') isHeading = true
      },
      ontext(piece) {
        if (isText) paragraph += piece
      },
      onclosetag(name) {
        depth -= 1
        if (name === 'w:t') isText = false
        else if (name === 'w:tc') text += ' | '
        else if (name === 'w:p' && isHeading && paragraph.trim() !== '') {
          end()
          heading = paragraph
        } else if (name === 'w:p') text += `${paragraph}\n\n`
      },
    },
    { xmlMode: true },
  )
  const decoder = new TextDecoder()
  unzipDocument(content, mostBytes, (part) => parser.write(decoder.decode(part, { stream: true })))
  parser.end(decoder.decode())
  end()
  return sections.all()
}

/** `Überschrift1` is written as `berschrift1`. */
const styleOf = (attributes: Record<string, string>): string => (attributes['w:val'] ?? '').replace(/^Ü/, '')

function unzipDocument(content: Uint8Array, mostBytes: number, write: (part: Uint8Array) => void): void {
  let bytes = 0
  let isFound = false
  const unzip = new Unzip((file) => {
    if (file.name !== DOCUMENT || isFound) return
    isFound = true
    file.ondata = (error, part) => {
      if (error) throw error
      bytes += part.byteLength
      if (bytes > mostBytes)
        throw new UnreadableFile(
          `The document has more than ${mostBytes / 1_000_000} MB when it is unzipped: split it.`,
        )
      write(part)
    }
    file.start()
  })
  unzip.register(UnzipInflate)
  try {
    for (let at = 0; at < content.byteLength; at += STEP)
      unzip.push(content.subarray(at, at + STEP), at + STEP >= content.byteLength)
  } catch (error) {
    if (error instanceof UnreadableFile) throw error
    throw new UnreadableFile('The document cannot be unzipped.', { cause: error })
  }
  if (!isFound) throw new UnreadableFile('The file is no Word document: it has no word/document.xml.')
}
