import type {
  Assistant,
  AssistantVersion,
  AssistantVersionPage,
  CreateAssistant,
  ListAssistants,
  ListAssistantsPage,
  ListAssistantVersions,
  UpdateAssistant,
} from '../api/assistant.js'
import type { Page, Pages } from '../api/page.js'
import type { RequestOptions } from '../request/request-input.js'

/** Assistants: what speaks in calls and chats. */
export interface Assistants {
  /** The newest assistants first, 100 unless `limit` says otherwise (at most 1000). `GET /assistant` */
  list(query?: ListAssistants, options?: RequestOptions): Promise<Assistant[]>
  /** One page of assistants, the newest first. `GET /v2/assistant` */
  listPage(query?: ListAssistantsPage, options?: RequestOptions): Promise<Page<Assistant>>
  /** All assistants, page after page. `GET /v2/assistant` for each page. */
  pages(query?: ListAssistantsPage, options?: RequestOptions): Pages<Assistant>
  /** Stores an assistant; every field has a default. `POST /assistant` */
  create(body: CreateAssistant, options?: RequestOptions): Promise<Assistant>
  /** One assistant. `GET /assistant/{id}` */
  get(id: string, options?: RequestOptions): Promise<Assistant>
  /** Changes the fields given; a field is replaced as a whole. `PATCH /assistant/{id}` */
  update(id: string, body: UpdateAssistant, options?: RequestOptions): Promise<Assistant>
  /** Replaces the whole assistant; a field that is not given gets its default. `PUT /assistant/{id}` */
  replace(id: string, body: UpdateAssistant, options?: RequestOptions): Promise<Assistant>
  /** Deletes an assistant, and answers what it was. `DELETE /assistant/{id}` */
  delete(id: string, options?: RequestOptions): Promise<Assistant | undefined>
  /** One page of an assistant's earlier states; go on with its `nextPageState`. `GET /assistant/{id}/version` */
  listVersions(
    id: string,
    query?: ListAssistantVersions,
    options?: RequestOptions,
  ): Promise<AssistantVersionPage>
  /** All earlier states of an assistant, page after page. `GET /assistant/{id}/version` for each page. */
  versionPages(id: string, query?: ListAssistantVersions, options?: RequestOptions): Pages<AssistantVersion>
}
