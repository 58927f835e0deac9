import { STRIP_ID } from '../document/places.js'
import style from '../styles/live-status.css?inline'

/** One line of text about a call. */
export interface StatusLine {
  /** Says it, once: what is said already is not said again, and only its first text is brought into view. `final`: nothing more will come. */
  say(text: string, final: boolean): void
  clear(): void
}

/**
 * Puts an empty line under the form: a status region that is there before it speaks, so that screen readers announce what it says.
 * Beside React, whose place below the form is fixed: the first load carries nothing of it. The style comes along as a constructed
 * sheet, which no Content-Security-Policy forbids.
 */
export function createStatusLine(): StatusLine {
  const place = document.getElementById(STRIP_ID)
  if (!place) throw new Error(`The main screen must hold #${STRIP_ID}.`)
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(style)
  document.adoptedStyleSheets.push(sheet)
  const line = document.createElement('p')
  line.className = 'live-status'
  line.role = 'status'
  place.before(line)
  return {
    say(text, final) {
      line.dataset.final = String(final)
      if (line.textContent === text) return
      const isFirst = line.textContent === ''
      line.textContent = text
      if (isFirst) line.scrollIntoView({ block: 'nearest' })
    },
    clear() {
      line.textContent = ''
    },
  }
}
