/** What a path belongs to, by its beginning; the first that fits. A closed list: a stranger cannot add to it. */
const GROUPS = [
  ['assets', /^\/-\/assets\//],
  ['webhook', /^\/-\/backend\/functions\//],
  ['auth', /^\/-\/backend\/auth\//],
  ['backend', /^\/-\/backend(\/|$)/],
  ['platform', /^\/-\/platform(\/|$)/],
  ['rooms', /^\/-\/rooms\//],
  ['carriers', /^\/-\/carriers\//],
  ['hooks', /^\/-\/hooks\//],
  ['human-check', /^\/-\/human-check$/],
  ['live', /^\/-\/calls\//],
  ['opens', /^\/-\/opens$/],
  ['embed', /^\/-\/embed\//],
  ['previews', /^\/-\/previews\//],
  ['phone', /^\/-\/phone(\.webmanifest)?$/],
  ['console', /^\/-\/console(\/|$)/],
  ['office', /^\/-\/office(\/|$)/],
  ['health', /^\/-\/(health|live|ready|metrics|mirror)$/],
  ['other', /^\/-\//],
] as const

export type RouteGroup = (typeof GROUPS)[number][0] | 'page'

/** The group of a path. What is not ours is a page. */
export const routeGroupOf = (path: string): RouteGroup =>
  GROUPS.find(([, begins]) => begins.test(path))?.[0] ?? 'page'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/** The method as a label: one of those that are served, or `other`. */
export const methodLabel = (method: string | undefined): string =>
  METHODS.find((known) => known === method) ?? 'other'

/** `2xx`, or `gone` where the client left before it had its answer. */
export const statusLabel = (status: number, isGone: boolean): string =>
  isGone ? 'gone' : `${Math.floor(status / 100)}xx`
