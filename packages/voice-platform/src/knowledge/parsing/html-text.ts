import { readHtml } from './html-events.js'
import { decoded } from './plain-text.js'
import { oneLine, type Section, Sections } from './section.js'

/** What nobody reads on a page. */
const UNREAD = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'math',
  'iframe',
  'object',
  'head',
  'select',
])
const HEADINGS = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'])
/** What ends a line. */
const BLOCKS = new Set(
  (
    'address article aside blockquote body br caption dd details div dl dt fieldset figcaption figure footer form ' +
    'header hr li main nav ol p pre section summary table tbody tfoot thead tr ul'
  ).split(' '),
)

/** A section for each heading. No tree is kept, and no depth of elements matters. */
export function htmlText(content: Uint8Array): Section[] {
  const sections = new Sections()
  let title = ''
  let heading: string | undefined
  let text = ''
  let skipped: string | undefined
  let depth = 0
  let inHeading: string | undefined
  let isTitle = false
  const end = () => {
    const above = heading ?? oneLine(title)
    sections.add({ ...(above && { heading: above }), text })
    text = ''
  }
  readHtml(decoded(content), {
    onopentag(name) {
      if (name === 'title') isTitle = true
      if (skipped !== undefined) {
        if (name === skipped) depth += 1
        return
      }
      if (UNREAD.has(name)) {
        skipped = name
        depth = 1
      } else if (HEADINGS.has(name)) {
        end()
        heading = ''
        inHeading = name
      } else if (BLOCKS.has(name)) text += '\n'
      else if (name === 'td' || name === 'th') text += ' '
    },
    ontext(piece) {
      if (isTitle) title += piece
      else if (skipped !== undefined) return
      else if (inHeading !== undefined) heading += piece
      else text += piece
    },
    onclosetag(name) {
      if (name === 'title') isTitle = false
      if (skipped !== undefined) {
        if (name === skipped) depth -= 1
        if (depth === 0) skipped = undefined
      } else if (name === inHeading) inHeading = undefined
      else if (name === 'td' || name === 'th') text += ' |'
      else if (BLOCKS.has(name)) text += name === 'p' ? '\n\n' : '\n'
    },
  })
  end()
  return sections.all()
}
