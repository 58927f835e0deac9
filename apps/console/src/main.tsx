import './without-eval.js'
import '@heyline/page/tokens.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Console } from './console.js'
import { openOffice } from './office/open-office.js'
import { takeLink } from './opening/opened-link.js'
import { OperatorSession } from './session/operator-session.js'
import { settingsOf } from './settings.js'
import './styles/console.css'

// Before anything else: the link's code stands in the address.
const link = takeLink(window)
const settings = settingsOf(document)
const office = openOffice(location.origin)
const session = new OperatorSession(office.session, link)
void session.start()
// A link that is opened where the console is open already changes the address only.
window.addEventListener('hashchange', () => {
  const opened = takeLink(window)
  if (opened) session.open(opened)
})

const place = document.getElementById('console')
if (!place) throw new Error('The page has no element with the id "console" to show the console in.')
createRoot(place).render(
  <StrictMode>
    <Console session={session} settings={settings} office={office} />
  </StrictMode>,
)
