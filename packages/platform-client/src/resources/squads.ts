import type { CreateSquad, ListSquads, Squad, UpdateSquad } from '../api/squad.js'
import type { RequestOptions } from '../request/request-input.js'

/** Squads: assistants that hand a call to one another. */
export interface Squads {
  /** The newest squads first, 100 unless `limit` says otherwise (at most 1000). `GET /squad` */
  list(query?: ListSquads, options?: RequestOptions): Promise<Squad[]>
  /** Stores a squad. `POST /squad` */
  create(body: CreateSquad, options?: RequestOptions): Promise<Squad>
  /** One squad. `GET /squad/{id}` */
  get(id: string, options?: RequestOptions): Promise<Squad>
  /** Changes a squad; its members are replaced by those given. `PATCH /squad/{id}` */
  update(id: string, body: UpdateSquad, options?: RequestOptions): Promise<Squad>
  /** Deletes a squad, and answers what it was. Its assistants stay. `DELETE /squad/{id}` */
  delete(id: string, options?: RequestOptions): Promise<Squad | undefined>
}
