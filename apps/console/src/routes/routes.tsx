import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import type { Office } from '../office/office.js'
import type { OperatorSession } from '../session/operator-session.js'
import type { ConsoleSettings } from '../settings.js'
import { LostScreen } from '../shell/failed-screen.js'
import { Shell } from '../shell/shell.js'
import { visitorPage } from '../visitors/visitor-page.js'
import type { Factor, Operator } from '../wire/session-wire.js'
import { callsSearch, safetySearch, timelineSearch, visitorsSearch } from './search.js'

/** What every screen can reach: `useRouteContext`. */
export interface ConsoleContext {
  operator: Operator
  /** The operator's own second factors. */
  factors: Factor[]
  session: OperatorSession
  settings: ConsoleSettings
  office: Office
  queries: QueryClient
}

const root = createRootRouteWithContext<ConsoleContext>()({
  component: function Root() {
    const { operator, factors, session } = root.useRouteContext()
    return <Shell operator={operator} factors={factors} signOut={() => session.signOut()} />
  },
  notFoundComponent: LostScreen,
})

const first = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad() {
    throw redirect({ to: '/visitors', replace: true })
  },
})

const visitors = createRoute({
  getParentRoute: () => root,
  path: '/visitors',
  validateSearch: visitorsSearch,
  component: lazyRouteComponent(() => import('../visitors/visitors-screen.js')),
  // Asked for at once: it comes while the screen is made.
  loaderDeps: ({ search }) => search,
  loader: ({ context: { office, queries }, deps }) => void queries.prefetchQuery(visitorPage(office, deps)),
})
const visitor = createRoute({
  getParentRoute: () => root,
  path: '/visitors/$slug',
  component: lazyRouteComponent(() => import('../visitors/visitor-screen.js')),
})
const addVisitor = createRoute({
  getParentRoute: () => root,
  path: '/add-visitor',
  component: lazyRouteComponent(() => import('../visitors/add-visitor-screen.js')),
})
const importVisitors = createRoute({
  getParentRoute: () => root,
  path: '/import-visitors',
  component: lazyRouteComponent(() => import('../visitors/import-screen.js')),
})
const calls = createRoute({
  getParentRoute: () => root,
  path: '/calls',
  validateSearch: callsSearch,
  component: lazyRouteComponent(() => import('../calls/calls-screen.js')),
})
const call = createRoute({
  getParentRoute: () => root,
  path: '/calls/$id',
  component: lazyRouteComponent(() => import('../calls/call-screen.js')),
})
const timeline = createRoute({
  getParentRoute: () => root,
  path: '/timeline',
  validateSearch: timelineSearch,
  component: lazyRouteComponent(() => import('../timeline/timeline-screen.js')),
})
const visitorTimeline = createRoute({
  getParentRoute: () => root,
  path: '/timeline/$slug',
  component: lazyRouteComponent(() => import('../timeline/visitor-timeline-screen.js')),
})
const safety = createRoute({
  getParentRoute: () => root,
  path: '/safety',
  validateSearch: safetySearch,
  component: lazyRouteComponent(() => import('../safety/safety-screen.js')),
})
const assistant = createRoute({
  getParentRoute: () => root,
  path: '/assistant',
  component: lazyRouteComponent(() => import('../assistant/assistant-screen.js')),
})
const tickets = createRoute({
  getParentRoute: () => root,
  path: '/tickets',
  component: lazyRouteComponent(() => import('../tickets/tickets-screen.js')),
})
const ticket = createRoute({
  getParentRoute: () => root,
  path: '/tickets/$id',
  component: lazyRouteComponent(() => import('../tickets/ticket-screen.js')),
})
const team = createRoute({
  getParentRoute: () => root,
  path: '/team',
  component: lazyRouteComponent(() => import('../team/team-screen.js')),
})
const audit = createRoute({
  getParentRoute: () => root,
  path: '/audit',
  component: lazyRouteComponent(() => import('../audit/audit-screen.js')),
})
const settings = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  component: lazyRouteComponent(() => import('../installation/settings-screen.js')),
})
const account = createRoute({
  getParentRoute: () => root,
  path: '/account',
  component: lazyRouteComponent(() => import('../account/account-screen.js')),
})
const help = createRoute({
  getParentRoute: () => root,
  path: '/help',
  component: lazyRouteComponent(() => import('../help/help-screen.js')),
})

/** All places of the console, below `/-/console`. */
export const ROUTES = root.addChildren([
  first,
  visitors,
  visitor,
  addVisitor,
  importVisitors,
  calls,
  call,
  timeline,
  visitorTimeline,
  safety,
  assistant,
  tickets,
  ticket,
  team,
  audit,
  settings,
  account,
  help,
])
