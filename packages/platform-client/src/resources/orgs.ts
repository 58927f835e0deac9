import type { CreateOrg, InviteUsers, Org, OrgAuth, UpdateOrg, UpdateUserRole, User } from '../api/org.js'
import type { RequestOptions } from '../request/request-input.js'

/** Organisations and their members. */
export interface Orgs {
  /** All organisations that the token reaches. `GET /org` takes no query. */
  list(options?: RequestOptions): Promise<Org[]>
  /** Stores an organisation. `POST /org` */
  create(body: CreateOrg, options?: RequestOptions): Promise<Org>
  /** One organisation, with its subscription and its JWT secret. `GET /org/{id}` */
  get(id: string, options?: RequestOptions): Promise<Org>
  /** Changes what is given. `PATCH /org/{id}` */
  update(id: string, body: UpdateOrg, options?: RequestOptions): Promise<Org>
  /** Deletes an organisation. `DELETE /org/{id}` answers nothing. */
  delete(id: string, options?: RequestOptions): Promise<void>
  /** The members of an organisation. `GET /org/{id}/user` */
  listUsers(id: string, options?: RequestOptions): Promise<User[]>
  /** Takes the token's own user out of an organisation. `DELETE /org/{id}/leave` answers nothing. */
  leave(id: string, options?: RequestOptions): Promise<void>
  /** Takes a member out of an organisation. `DELETE /org/{id}/member/{memberId}/leave` answers nothing. */
  removeMember(id: string, memberId: string, options?: RequestOptions): Promise<void>
  /** Invites people by email, at most 100 at a time. `POST /org/{id}/invite` answers nothing. */
  inviteUsers(id: string, body: InviteUsers, options?: RequestOptions): Promise<void>
  /** Gives a member another role. `PATCH /org/{id}/role` answers nothing. */
  updateUserRole(id: string, body: UpdateUserRole, options?: RequestOptions): Promise<void>
  /** A JWT for the organisation. `GET /org/{id}/auth` */
  getAuth(id: string, options?: RequestOptions): Promise<OrgAuth>
}
