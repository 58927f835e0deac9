import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useState } from 'react'
import { OfficeProvider } from '../office/office.js'
import { makeQueries } from '../shell/reach.js'
import { ReachProvider } from '../shell/reach-bar.js'
import { makeRouter } from './console-router.js'
import type { ConsoleContext } from './routes.js'

/** The console of somebody who is signed in: the shell, and in it the place that the address names. */
export default function SignedIn(given: Omit<ConsoleContext, 'queries'>) {
  const { office, session } = given
  const [{ queries, reach }] = useState(() => makeQueries(() => void session.enter()))
  const context = { ...given, queries }
  const [router] = useState(() => {
    const made = makeRouter(context)
    // Before anything is drawn: what the first place shows is asked for meanwhile.
    void made.load()
    return made
  })
  return (
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queries}>
        <OfficeProvider value={office}>
          <ReachProvider value={reach}>
            <RouterProvider router={router} context={context} />
          </ReachProvider>
        </OfficeProvider>
      </QueryClientProvider>
    </CSPProvider>
  )
}
