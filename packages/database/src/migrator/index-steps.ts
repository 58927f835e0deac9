import { MigrationError } from './migration-error.js'

/** The first line of a migration whose indexes are built beside everybody's work on a Postgres that holds rows. */
const MARK = /^--\s*concurrently\b/
const CREATE =
  /^create (?<unique>unique )?index if not exists (?<name>[a-z0-9_]+) on (?<schema>[a-z0-9_]+)\.(?<rest>[a-z0-9_]+\b.*)$/s
const DROP = /^drop index if exists (?<schema>[a-z0-9_]+)\.(?<name>[a-z0-9_]+)$/

/** One index that is made or goes. `sql` is what makes it while everybody works. */
export interface IndexStep {
  kind: 'create' | 'drop'
  schema: string
  name: string
  sql: string
}

export const isConcurrent = (sql: string): boolean => MARK.test(sql)

/**
 * What a marked migration does, statement by statement. Its file is plain SQL that also runs in a transaction, as on PGlite and in the Supabase
 * CLI, so it does not say `concurrently` itself.
 * @throws MigrationError `bad_indexes` when it does anything else
 */
export function indexSteps(file: string, sql: string): IndexStep[] {
  return statements(sql).map((statement) => {
    const { unique = '', name, schema, rest } = CREATE.exec(statement)?.groups ?? {}
    if (name !== undefined && schema !== undefined)
      return {
        kind: 'create',
        schema,
        name,
        sql: `create ${unique}index concurrently if not exists ${name} on ${schema}.${rest}`,
      }
    const dropped = DROP.exec(statement)?.groups
    if (dropped?.schema !== undefined && dropped.name !== undefined)
      return dropOf(dropped.schema, dropped.name)
    throw new MigrationError(
      'bad_indexes',
      `Migration ${file} begins with "-- concurrently", so it may hold only "create index if not exists NAME on SCHEMA.TABLE …" and ` +
        `"drop index if exists SCHEMA.NAME", in small letters: ${statement.slice(0, 80)}`,
    )
  })
}

export const dropOf = (schema: string, name: string): IndexStep => ({
  kind: 'drop',
  schema,
  name,
  sql: `drop index concurrently if exists ${schema}.${name}`,
})

/** Cut at semicolons outside of quotes, without comments, each on one line. */
function statements(sql: string): string[] {
  return sql
    .replace(/--.*$/gm, '')
    .split(/;(?=(?:[^']*'[^']*')*[^']*$)/)
    .map((statement) => statement.trim().replace(/\s+/g, ' '))
    .filter((statement) => statement !== '')
}
