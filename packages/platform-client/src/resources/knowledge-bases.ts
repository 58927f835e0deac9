import type {
  CreateKnowledgeBase,
  KnowledgeBase,
  ListKnowledgeBases,
  UpdateKnowledgeBase,
} from '../api/knowledge-base.js'
import type { RequestOptions } from '../request/request-input.js'

/** What assistants can look things up in. */
export interface KnowledgeBases {
  /** The newest first, 100 unless `limit` says otherwise (at most 1000). `GET /knowledge-base` */
  list(query?: ListKnowledgeBases, options?: RequestOptions): Promise<KnowledgeBase[]>
  /** Stores a knowledge base: a dataset at Trieve, or a server of one's own. `POST /knowledge-base` */
  create(body: CreateKnowledgeBase, options?: RequestOptions): Promise<KnowledgeBase>
  /** One knowledge base. `GET /knowledge-base/{id}` */
  get(id: string, options?: RequestOptions): Promise<KnowledgeBase>
  /** Changes what is given. `PATCH /knowledge-base/{id}` */
  update(id: string, body: UpdateKnowledgeBase, options?: RequestOptions): Promise<KnowledgeBase>
  /** Deletes a knowledge base and answers what it was. `DELETE /knowledge-base/{id}` */
  delete(id: string, options?: RequestOptions): Promise<KnowledgeBase | undefined>
}
