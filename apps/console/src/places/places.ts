import type { IconName } from '../ui/icon.js'

/** Where an operator can go from anywhere: the rail, the palette and the keys walk this list. */
export const PLACES = [
  { path: '/visitors', name: 'Visitors', icon: 'visitors', key: 'v' },
  { path: '/calls', name: 'Calls', icon: 'calls', key: 'c' },
  { path: '/timeline', name: 'Timeline', icon: 'timeline', key: 'l' },
  { path: '/safety', name: 'Safety', icon: 'safety', key: 's' },
  { path: '/assistant', name: 'Assistant', icon: 'assistant', key: 'a' },
  { path: '/tickets', name: 'Tickets', icon: 'tickets', key: 'k' },
  { path: '/team', name: 'Team', icon: 'team', key: 't' },
  { path: '/audit', name: 'Audit', icon: 'audit', key: 'u' },
  { path: '/settings', name: 'Settings', icon: 'settings', key: 'e' },
  { path: '/help', name: 'Help', icon: 'help', key: 'h' },
] as const satisfies readonly { path: string; name: string; icon: IconName; key: string }[]

/** The operator's own account, behind their menu. */
export const ACCOUNT = { path: '/account', name: 'Your account', icon: 'account', key: 'y' } as const

export type PlacePath = (typeof PLACES)[number]['path'] | typeof ACCOUNT.path
