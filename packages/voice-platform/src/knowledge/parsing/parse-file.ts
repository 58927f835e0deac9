import { csvText } from './csv-text.js'
import { docxText } from './docx-text.js'
import type { FileKind } from './file-kind.js'
import { htmlText } from './html-text.js'
import { pdfText } from './pdf-text.js'
import { markdownText, plainText } from './plain-text.js'
import type { Section } from './section.js'

const PARSERS: Readonly<Record<FileKind, (content: Uint8Array) => Section[] | Promise<Section[]>>> = {
  txt: plainText,
  md: markdownText,
  html: htmlText,
  pdf: pdfText,
  docx: (content) => docxText(content),
  csv: csvText,
}

/** The sections of a file. Rejects with an `UnreadableFile` that says why there are none. It may take long: see `ParserThread`. */
export const parseFile = async (kind: FileKind, content: Uint8Array): Promise<Section[]> =>
  PARSERS[kind](content)
