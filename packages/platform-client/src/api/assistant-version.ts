import type { PageMetadata } from './page.js'

/** One earlier state of an assistant. The platform publishes no schema of it. */
export interface AssistantVersion {
  [field: string]: unknown
}

/** Query of `assistants.listVersions` and `assistants.versionPages`. */
export interface ListAssistantVersions {
  /** Counts from 1. Default 1. */
  page?: number
  /** Most versions of a page. */
  limit?: number
  /** `nextPageState` of the page before. */
  pageState?: string
}

/** One page of an assistant's versions. These pages go on by a token, and not by number. */
export interface AssistantVersionPage {
  results: AssistantVersion[]
  metadata: PageMetadata
  /** The next page's `pageState`. Missing on the last page. */
  nextPageState?: string
}
