import type { Queryable } from '../db/db.js'

/** One table: its name as SQL writes it, and the columns that are stored (generated ones are not). */
export interface KeptTable {
  /** `schema.table`. */
  name: string
  columns: { name: string; type: string }[]
}

/** Whether the rows of a table (`schema.table`) are kept. */
export type IsKept = (table: string) => boolean

/** Every table of this database that is kept, by name. */
export async function keptTables(db: Queryable, isKept: IsKept): Promise<KeptTable[]> {
  const { rows } = await db.query<{ table: string; column: string; type: string }>(
    `select n.nspname || '.' || c.relname as table, a.attname as column, format_type(a.atttypid, a.atttypmod) as type
     from pg_catalog.pg_class c
     join pg_catalog.pg_namespace n on n.oid = c.relnamespace
     join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema', 'supabase_migrations')
     order by 1, a.attnum`,
  )
  const tables = new Map<string, KeptTable>()
  for (const { table, column, type } of rows) {
    if (!isKept(table)) continue
    const known = tables.get(table) ?? { name: table, columns: [] }
    known.columns.push({ name: column, type })
    tables.set(table, known)
  }
  return [...tables.values()]
}

/** The sequences behind the columns of these tables, by name. */
export async function sequencesOf(db: Queryable, tables: readonly KeptTable[]): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `select distinct sn.nspname || '.' || s.relname as name
     from pg_catalog.pg_class s
     join pg_catalog.pg_namespace sn on sn.oid = s.relnamespace
     join pg_catalog.pg_depend d on d.objid = s.oid and d.classid = 'pg_class'::regclass and d.refclassid = 'pg_class'::regclass
       and d.deptype in ('a', 'i')
     join pg_catalog.pg_class t on t.oid = d.refobjid
     join pg_catalog.pg_namespace tn on tn.oid = t.relnamespace
     where s.relkind = 'S' and $1::jsonb ? (tn.nspname || '.' || t.relname)
     order by 1`,
    [tables.map(({ name }) => name)],
  )
  return rows.map(({ name }) => name)
}

/** `schema.table` as SQL writes it. */
export const quoted = (name: string): string => name.split('.').map(quotedName).join('.')

export const quotedName = (name: string): string => `"${name.replaceAll('"', '""')}"`
