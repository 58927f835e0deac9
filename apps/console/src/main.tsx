import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { takeLink } from './opening/opened-link.js'
import { ConsoleScreens } from './screens/console-screens.js'
import { OperatorSession } from './session/operator-session.js'
import { settingsOf } from './settings.js'
import './styles/console.css'
import { AuthWire } from './wire/auth-wire.js'
import { OwnWire } from './wire/own-wire.js'

/** Nothing here takes longer: then nobody answers. */
const LONGEST_ANSWER_MS = 30_000

// Before anything else: the link's code stands in the address.
const link = takeLink(window)
const settings = settingsOf(document)
const authUrl = new URL(settings.authUrl, location.href).href
const bounded: typeof fetch = (input, init) =>
  fetch(input, { ...init, cache: 'no-store', signal: AbortSignal.timeout(LONGEST_ANSWER_MS) })
const wire = { authUrl, key: settings.key, fetch: bounded }
const auth = new AuthWire(wire)
const session = new OperatorSession(
  {
    auth,
    own: new OwnWire({ ...wire, serverUrl: new URL('/-', location.href).href, token: () => auth.token() }),
    makesRecoveryCodes: settings.additions,
    consoleUrl: new URL('/-/console/', location.href).href,
  },
  link,
)
// A link that is opened where the console is open already changes the address only.
window.addEventListener('hashchange', () => {
  const opened = takeLink(window)
  if (opened) void session.open(opened)
})

const place = document.getElementById('console')
if (!place) throw new Error('The page has no element with the id "console" to show the console in.')
createRoot(place).render(
  <StrictMode>
    <ConsoleScreens session={session} settings={settings} />
  </StrictMode>,
)
