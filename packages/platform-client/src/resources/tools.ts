import type { CreateTool, ListTools, Tool, UpdateTool } from '../api/tool.js'
import type { RequestOptions } from '../request/request-input.js'

/** What assistants can do beside speaking. `type` tells the 22 kinds apart. */
export interface Tools {
  /** The newest tools first, 100 unless `limit` says otherwise: `GET /tool`. */
  list(query?: ListTools, options?: RequestOptions): Promise<Tool[]>

  /** Stores a tool, which models then name in their `toolIds`: `POST /tool`. */
  create(body: CreateTool, options?: RequestOptions): Promise<Tool>

  /** One tool: `GET /tool/{id}`. */
  get(id: string, options?: RequestOptions): Promise<Tool>

  /** Changes the fields that are given: `PATCH /tool/{id}`. A tool stays of its type. */
  update(id: string, body: UpdateTool, options?: RequestOptions): Promise<Tool>

  /** `DELETE /tool/{id}`. */
  delete(id: string, options?: RequestOptions): Promise<Tool | undefined>
}
