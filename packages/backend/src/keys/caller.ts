export const ROLES = ['anon', 'authenticated', 'service_role'] as const

/** A role of the database that a request may take. */
export type Role = (typeof ROLES)[number]

/** Who asks. Policies read the claims through `request.jwt.claims` and `auth.jwt()`. */
export interface Caller {
  role: Role
  claims: Record<string, unknown>
}
