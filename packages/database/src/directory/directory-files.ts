/** What lies in the directory of a PGlite, beside its lock. */
export const FILES = {
  /** Postgres's own files. */
  data: 'pgdata',
  /** Stands while `pgdata` is being created: what was left behind by a crash is no database yet. */
  incomplete: 'pgdata.incomplete',
  /** The old `pgdata` while a restored one takes its place. */
  previous: 'pgdata.previous',
  /** Where a backup is unpacked and proven. */
  restoring: 'restoring',
  /** Begins the name of a copy made for a backup. */
  snapshot: 'snapshot-',
} as const
