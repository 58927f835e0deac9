import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useState } from 'react'
import { type Office, OfficeProvider } from '../office/office.js'
import { makeQueries } from '../shell/reach.js'
import { ReachProvider } from '../shell/reach-bar.js'
import { makeRouter } from './console-router.js'
import type { ConsoleContext } from './routes.js'

/** The console of somebody who is signed in: the shell, and in it the place that the address names. */
export default function SignedIn({ office, ...context }: ConsoleContext & { office: Office }) {
  const [{ queries, reach }] = useState(() => makeQueries(() => void context.session.enter()))
  const [router] = useState(() => makeRouter(context))
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
