/** What a member may do: everything with keys and people; change what is stored; read. */
export type OrgRole = 'admin' | 'editor' | 'viewer'
export const ORG_ROLES = ['admin', 'editor', 'viewer'] as const satisfies readonly OrgRole[]

/** A member of the organisation. */
export interface OrgMember {
  id: string
  email: string
  role: OrgRole
  /** ISO 8601. */
  createdAt: string
  updatedAt: string
}

/** Who asks, as the audit names them. */
export interface OrgActor {
  name: string
  /** Of a member. */
  userId?: string
  /** Of a member: what this bearer of theirs may do. */
  role?: OrgRole
}

/** What a request needs its member to be. */
export interface OrgNeed {
  role: OrgRole
  /** Keys or people are changed: who asks has confirmed a moment ago that it is them. */
  stepUp: boolean
}

/** The people of the organisation, whoever keeps them. Everything rejects with an `ApiError`. */
export interface OrgPeople {
  /** Whether a bearer may be a member's. Says nothing of whether it is good. */
  mayBeMember(bearer: string): boolean
  /** The member who sends a request. Rejects with 401, or with 403 where the need is not met. */
  enter(request: Request, need: OrgNeed): Promise<OrgActor>
  list(): Promise<OrgMember[]>
  /** Resolves with what is to be told of an invitation that stands, though its mail was not sent. */
  invite(actor: OrgActor, request: Request, email: string, role: OrgRole): Promise<{ unsent?: string }>
  setRole(actor: OrgActor, request: Request, userId: string, role: OrgRole): Promise<void>
  remove(actor: OrgActor, request: Request, userId: string): Promise<void>
}
