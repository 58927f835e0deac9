/** A member of an organisation. */
export interface User {
  id: string
  /** ISO 8601. */
  createdAt: string
  /** ISO 8601. */
  updatedAt: string
  email: string
  fullName?: string
}
