import type { ListQuery } from './page.js'
import type { Server } from './server.js'

/** How chunks of text are found in a Trieve dataset. */
export interface TrieveSearchPlan {
  searchType: 'fulltext' | 'semantic' | 'hybrid' | 'bm25'
  /** Most chunks given to the model. */
  topK?: number
  /** Leaves stop words out of the search, unless there are only stop words. */
  removeStopWords?: boolean
  /** Chunks that score lower are left out. Default 0: none is. */
  scoreThreshold?: number
}

/** A dataset of the organisation's own Trieve account. */
export interface TrieveDataset {
  type: 'import'
  /** The dataset's id at Trieve. */
  providerId: string
}

/** A knowledge base that Trieve holds. */
export interface CreateTrieveKnowledgeBase {
  provider: 'trieve'
  name?: string
  searchPlan?: TrieveSearchPlan
  createPlan?: TrieveDataset
}

/** A knowledge base of the developer's own. */
export interface CreateCustomKnowledgeBase {
  provider: 'custom-knowledge-base'
  /** Gets a `knowledge-base-request` message; answers with documents for the model, or with the words to speak. */
  server: Server
}

/** A knowledge base of stored files, as the built-in voice platform has them. */
export interface CreateFilesKnowledgeBase {
  provider: 'canonical'
  name?: string
  fileIds: string[]
}

/** Body of `knowledgeBases.create`. */
export type CreateKnowledgeBase =
  | CreateTrieveKnowledgeBase
  | CreateCustomKnowledgeBase
  | CreateFilesKnowledgeBase

/** Body of `knowledgeBases.update`. `provider` says which kind it is, and cannot change. */
export type UpdateKnowledgeBase =
  | CreateTrieveKnowledgeBase
  | (Pick<CreateCustomKnowledgeBase, 'provider'> & Partial<CreateCustomKnowledgeBase>)
  | (Pick<CreateFilesKnowledgeBase, 'provider'> & Partial<CreateFilesKnowledgeBase>)

/** What every stored knowledge base has. The platform gives no times. */
interface KnowledgeBaseRecord {
  id: string
  orgId: string
}

export interface TrieveKnowledgeBase extends CreateTrieveKnowledgeBase, KnowledgeBaseRecord {}

export interface CustomKnowledgeBase extends CreateCustomKnowledgeBase, KnowledgeBaseRecord {}

export interface FilesKnowledgeBase extends CreateFilesKnowledgeBase, KnowledgeBaseRecord {}

/** A stored knowledge base. */
export type KnowledgeBase = TrieveKnowledgeBase | CustomKnowledgeBase | FilesKnowledgeBase

/** Query of `knowledgeBases.list`. */
export type ListKnowledgeBases = ListQuery
