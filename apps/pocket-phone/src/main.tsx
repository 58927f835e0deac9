import { systemClock } from '@heyline/web-call'
import { BrowserAudio, createSocketRoom } from '@heyline/web-call/socket'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { CarrierLine, lineUrl } from './carrier-line.js'
import './phone.css'
import { PhoneScreen } from './phone-screen.js'
import { PocketPhone } from './pocket-phone.js'

const phone = new PocketPhone({
  openLine: (handlers) => new CarrierLine(lineUrl(new URL(location.href)), handlers),
  openAudio: () => new BrowserAudio(),
  createRoom: (url, device) => createSocketRoom(url, { device }),
  clock: systemClock,
})
phone.open()

const place = document.getElementById('phone')
if (!place) throw new Error('The page has no element with the id "phone" to show the phone in.')
createRoot(place).render(
  <StrictMode>
    <PhoneScreen phone={phone} />
  </StrictMode>,
)
