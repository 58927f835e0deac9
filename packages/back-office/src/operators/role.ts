/** What an operator may do, the most first: everything; visitors, calls, do-not-call list and pause; read, with numbers masked. */
export const ROLES = ['owner', 'editor', 'viewer'] as const

export type Role = (typeof ROLES)[number]

/** Whether somebody of this role may do what needs the other one. */
export const reaches = (role: Role, needed: Role): boolean => ROLES.indexOf(role) <= ROLES.indexOf(needed)
