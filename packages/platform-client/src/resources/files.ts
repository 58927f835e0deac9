import type { CreateFile, PlatformFile, UpdateFile } from '../api/file.js'
import type { RequestOptions } from '../request/request-input.js'

/** Files of the organisation, as knowledge for its assistants. */
export interface Files {
  /** All files. `GET /file` takes no query. */
  list(options?: RequestOptions): Promise<PlatformFile[]>
  /** Uploads a file. `POST /file`, as `multipart/form-data`. */
  create(body: CreateFile, options?: RequestOptions): Promise<PlatformFile>
  /** One file. `GET /file/{id}` */
  get(id: string, options?: RequestOptions): Promise<PlatformFile>
  /** Renames a file. `PATCH /file/{id}` */
  update(id: string, body: UpdateFile, options?: RequestOptions): Promise<PlatformFile>
  /** Deletes a file and answers what it was. `DELETE /file/{id}` */
  delete(id: string, options?: RequestOptions): Promise<PlatformFile | undefined>
  /**
   * Uploads a file. `POST /file/upload`, as `multipart/form-data`.
   * @deprecated Use `create`.
   */
  upload(body: CreateFile, options?: RequestOptions): Promise<PlatformFile>
}
