/** What a migration does that the version before may not survive, or that stops everybody on a large table. */
interface Rule {
  found: RegExp
  why: string
  /** Not where the table is one of this migration's own. */
  elsewhere?: boolean
}

const TABLE = /(?:only )?(?<table>[\w"]+(?:\.[\w"]+)?)/
const ALTERED = `alter table (?:if exists )?${TABLE.source}[^;]*?`
const altered = (what: string) => new RegExp(`\\b${ALTERED}\\b${what}`, 'g')

/** Each is what `CONTRIBUTING.md` says of migrations. */
const RULES: readonly Rule[] = [
  {
    found: new RegExp(`\\bcreate (?:unique )?index (?:[^;]*? )?on ${TABLE.source}`, 'g'),
    why: 'builds an index on a table that has rows: put it into a file of its own that begins with "-- concurrently"',
    elsewhere: true,
  },
  {
    found: /\bdrop (?:table|schema|type|view|column|function|procedure|sequence)\b/g,
    why: 'drops what the version before may use',
  },
  {
    found: altered('drop (?!constraint\\b|not null\\b|default\\b|column\\b|expression\\b|identity\\b)\\w+'),
    why: 'drops a column',
  },
  {
    found: /\brename (?:column |constraint )?(?:[\w"]+ )?to\b/g,
    why: 'renames what the version before uses',
  },
  { found: altered('set not null'), why: 'the version before may store null', elsewhere: true },
  {
    found: altered('alter (?:column )?[\\w"]+ (?:set data )?type\\b'),
    why: 'writes the table anew',
    elsewhere: true,
  },
  {
    found: altered('(?:primary key|unique)\\b'),
    why: 'builds an index while nobody can write',
    elsewhere: true,
  },
  {
    found: altered('add (?:constraint [\\w"]+ )?(?:check|foreign key)\\b(?![^;]*\\bnot valid\\b)'),
    why: 'reads the whole table while nobody can write: add it "not valid", and validate it in a later migration',
    elsewhere: true,
  },
  {
    found: altered('add (?:column )?(?:if not exists )?[\\w"]+ [^;,]*\\bnot null\\b(?![^;,]*\\bdefault\\b)'),
    why: 'the version before does not fill it: give it a default',
    elsewhere: true,
  },
  {
    found: altered(
      'add (?:column )?[^;,]*\\b(?:stored\\b|default (?:gen_random_uuid|random|clock_timestamp|nextval))',
    ),
    why: 'writes the table anew',
    elsewhere: true,
  },
  { found: /\b(?:truncate|cluster|reindex|lock table|vacuum)\b/g, why: 'stops everybody who uses the table' },
]

const MADE = /\bcreate (?:unlogged )?table (?:if not exists )?([\w"]+(?:\.[\w"]+)?)/g
/** Says that nothing of the version before uses what goes. */
const CONTRACTS = /^-- contracts: \S/m

/**
 * What of a migration is more than widening, a line each. Bodies of functions and `do` blocks count, too. A file with a line
 * `-- contracts: WHY` may drop and rename, and one that begins with `-- concurrently` may build indexes.
 */
export function narrowing(sql: string): string[] {
  const text = sql
    .replace(/--.*$/gm, '')
    .replace(/'(?:[^']|'')*'/g, "''")
    .replace(/\s+/g, ' ')
    .toLowerCase()
  const made = new Set([...text.matchAll(MADE)].map(([, table]) => table))
  if (/^--\s*concurrently\b/.test(sql) || CONTRACTS.test(sql)) return []
  return RULES.flatMap(({ found, why, elsewhere }) =>
    [...text.matchAll(found)]
      .filter(({ groups }) => !elsewhere || !made.has(groups?.table))
      .map(([statement]) => `${statement.slice(0, 100)}: ${why}`),
  )
}
