import type { Store } from '@heyline/kit/store'
import { hydrateRoot } from 'react-dom/client'
import type { CallButton } from '../call/call-button.js'
import { STRIP_ID } from '../document/places.js'
import style from '../styles/in-call.css?inline'
import type { CallStrip } from './call-strip.js'
import { InCall } from './in-call.js'

/**
 * Shows the strip during calls. It is a root of its own: the first load carries nothing of it, and what breaks in it
 * leaves the page alone. Hydrated, because of React's roots the page has only that one; the empty place is what the
 * server renders. The style comes along as a constructed sheet, which no Content-Security-Policy forbids.
 */
export function mountStrip(strip: CallStrip, button: Store<CallButton>): void {
  const place = document.getElementById(STRIP_ID)
  if (!place) throw new Error(`The main screen must hold #${STRIP_ID}.`)
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(style)
  document.adoptedStyleSheets.push(sheet)
  hydrateRoot(place, <InCall strip={strip} button={button} />)
}
