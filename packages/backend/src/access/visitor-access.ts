/**
 * Which visitors a request with the public key sees: `slug` is the one that its header `x-visitor-slug` names, and the listed
 * ones; `open` is all of them.
 */
export const VISITOR_ACCESS = ['slug', 'open'] as const

export type VisitorAccess = (typeof VISITOR_ACCESS)[number]
