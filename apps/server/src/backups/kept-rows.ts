/** What a backup of a Postgres leaves out, and why a restore elsewhere does without it. */
const LEFT_OUT = [
  // Each start stores those of its build.
  'front_ends.builds',
  'front_ends.files',
  // Of servers that run now.
  'voice_platform.processes',
  // Of what its own database has made.
  'back_office.backups',
]

const OWN_SCHEMAS = ['auth', 'back_office', 'call_desk', 'timeline', 'voice_platform']

/** Whether the rows of a table (`schema.table`) are in a backup of a Postgres. Other tables of its database are their owners'. */
export const isKept = (table: string): boolean =>
  table === 'public.visitors' ||
  (OWN_SCHEMAS.includes(table.split('.')[0] ?? '') && !LEFT_OUT.includes(table))
