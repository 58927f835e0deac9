import { getDocumentProxy } from 'unpdf'
import { type Section, Sections, UnreadableFile } from './section.js'

/** Most pages that are read. */
const MOST_PAGES = 2_000

/** A section for each page. Pages that are pictures have no text. */
export async function pdfText(content: Uint8Array): Promise<Section[]> {
  const sections = new Sections()
  const document = await opened(content)
  try {
    if (document.numPages > MOST_PAGES)
      throw new UnreadableFile(`The PDF has more than ${MOST_PAGES} pages: split it.`)
    for (let number = 1; number <= document.numPages; number += 1) {
      const page = await document.getPage(number)
      const { items } = await page.getTextContent()
      sections.add({ page: number, text: items.map(written).join('') })
      page.cleanup()
    }
  } catch (error) {
    if (error instanceof UnreadableFile) throw error
    throw new UnreadableFile('The PDF cannot be read: it may be damaged.', { cause: error })
  } finally {
    await document.destroy()
  }
  return sections.all()
}

/** A piece of a page's text. The marks between them have none. */
function written(item: unknown): string {
  const { str, hasEOL } = Object(item)
  return `${typeof str === 'string' ? str : ''}${hasEOL === true ? '\n' : ''}`
}

async function opened(content: Uint8Array) {
  try {
    // No code of the file is run, and nothing is fetched that it names.
    return await getDocumentProxy(content, {
      isEvalSupported: false,
      useSystemFonts: false,
      disableFontFace: true,
      stopAtErrors: false,
      verbosity: 0,
    })
  } catch (cause) {
    const isLocked = cause instanceof Error && cause.name === 'PasswordException'
    throw new UnreadableFile(
      isLocked ? 'The PDF is locked by a password.' : 'The PDF cannot be read: it may be damaged.',
      { cause },
    )
  }
}
