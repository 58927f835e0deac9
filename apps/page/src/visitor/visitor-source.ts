/** What a page reads of a visitor: slug and name where its server makes the calls and keeps the assistant's texts, else all (spec 7). */
export const columnsOf = ({ webCallFunction }: { webCallFunction?: string }): '*' | 'slug,name' =>
  webCallFunction ? 'slug,name' : '*'

/** Where the visitors are read, and on behalf of which slug. */
export interface VisitorSource {
  /** The backend, absolute and without `/rest/v1`. */
  url: string
  /** The publishable key. */
  key: string
  /** The slug of the page that reads. */
  slug: string
  /** Whether to send `x-visitor-slug`, by which Row Level Security shows a request only its own visitor. */
  header: boolean
  /** What is read of a visitor; all where nothing is said. */
  columns?: ReturnType<typeof columnsOf>
  /** Defaults to the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined
  /** Ends the reads, also before their own time is over; they then fail. */
  signal?: AbortSignal | undefined
}
