import type { Role } from './use-api-keys.js'

/** The most first. */
const ROLES: readonly Role[] = ['owner', 'editor', 'viewer']

/** What a key of somebody may do: at most what they may. The least first, so that it is the choice of who makes none. */
export const rolesUpTo = (own: Role): Role[] => ROLES.slice(ROLES.indexOf(own)).toReversed()

/** Whether a key (ISO time) opens nothing any more at the time `now` (ms). */
export const isExpired = (expiresAt: string, now: number): boolean => Date.parse(expiresAt) <= now
