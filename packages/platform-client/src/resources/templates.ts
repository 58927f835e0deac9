import type { CreateTemplate, ListTemplates, Template, UpdateTemplate } from '../api/template.js'
import type { RequestOptions } from '../request/request-input.js'

/** Templates of tools. */
export interface Templates {
  /** The newest first, 100 unless `limit` says otherwise (at most 1000). `GET /template` */
  list(query?: ListTemplates, options?: RequestOptions): Promise<Template[]>
  /** Stores templates: takes a list, and is answered with one template. `POST /template` */
  create(body: CreateTemplate[], options?: RequestOptions): Promise<Template>
  /** One template. `GET /template/{id}` */
  get(id: string, options?: RequestOptions): Promise<Template>
  /** Changes what is given; `type` is required. `PATCH /template/{id}` */
  update(id: string, body: UpdateTemplate, options?: RequestOptions): Promise<Template>
  /** Deletes a template and answers what it was. `DELETE /template/{id}` */
  delete(id: string, options?: RequestOptions): Promise<Template | undefined>
  /** The pinned templates. `GET /template/pinned` takes no query. */
  listPinned(options?: RequestOptions): Promise<Template[]>
}
