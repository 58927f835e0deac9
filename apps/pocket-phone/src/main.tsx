import { systemClock } from '@heyline/web-call'
import { createSocketRoom } from '@heyline/web-call/socket'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { CallHistory } from './call-history.js'
import { CarrierLine, lineUrl } from './carrier-line.js'
import { Loudspeaker } from './loudspeaker.js'
import { watchNetwork } from './network-watch.js'
import { PhoneScreen } from './phone-screen.js'
import { PocketPhone } from './pocket-phone.js'
import './styles/frame.css'
import './styles/home.css'
import './styles/call.css'
import './styles/keypad.css'
import './styles/lists.css'

offerInstalling()
const history = new CallHistory(browserStorage())
addEventListener('storage', () => history.reload())
const loudspeaker = new Loudspeaker()
const phone = new PocketPhone({
  openLine(handlers) {
    const line = new CarrierLine(lineUrl(new URL(location.href)), handlers)
    watchNetwork(line)
    return line
  },
  openAudio: () => loudspeaker.open(),
  createRoom: (url, device) => createSocketRoom(url, { device }),
  clock: systemClock,
  history,
})
phone.open()

const place = document.getElementById('phone')
if (!place) throw new Error('The page has no element with the id "phone" to show the phone in.')
createRoot(place).render(
  <StrictMode>
    <PhoneScreen phone={phone} history={history} loudspeaker={loudspeaker} callerName={callerName()} />
  </StrictMode>,
)

/** The manifest carries the page's key, so that the installed phone opens too. */
function offerInstalling(): void {
  const link = document.createElement('link')
  link.rel = 'manifest'
  link.href = `/-/phone.webmanifest${location.search}`
  document.head.append(link)
}

/** Who calls, as the server says in the page. */
function callerName(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="caller"]')?.content ?? ''
}

/** A browser that keeps nothing for pages refuses the storage itself. */
function browserStorage(): Storage | undefined {
  try {
    return localStorage
  } catch {
    return undefined
  }
}
