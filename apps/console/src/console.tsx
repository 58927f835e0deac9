import { lazy, Suspense, useSyncExternalStore } from 'react'
import type { Office } from './office/office.js'
import type { OperatorSession } from './session/operator-session.js'
import type { ConsoleSettings } from './settings.js'

// Asked for at once: it comes while the server is asked who is signed in.
const signedIn = import('./routes/signed-in.js')
const SignedIn = lazy(() => signedIn)
const ConsoleScreens = lazy(async () => {
  const { ConsoleScreens: screens } = await import('./screens/console-screens.js')
  // The first place comes while somebody types. Where it does not, the router asks again, and says why.
  void signedIn.then(() => import('./visitors/visitors-screen.js')).catch(() => {})
  return { default: screens }
})

/** The way in, and once somebody is in, the console. */
export function Console({
  session,
  settings,
  office,
}: {
  session: OperatorSession
  settings: ConsoleSettings
  office: Office
}) {
  const screen = useSyncExternalStore(session.subscribe, session.get)
  return (
    <Suspense>
      {screen.name === 'home' ? (
        <SignedIn
          operator={screen.operator}
          factors={screen.factors}
          session={session}
          settings={settings}
          office={office}
        />
      ) : (
        <ConsoleScreens session={session} settings={settings} />
      )}
    </Suspense>
  )
}
