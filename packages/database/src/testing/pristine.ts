import type { Queryable } from '../db/db.js'

/** A row that is there before a test, and the table that has it. */
interface Kept {
  table: string
  /** All its rows, as JSON. */
  rows: string
}

/** What a database has before a test: how a used one becomes like new. */
export interface Pristine {
  /** What no test changes if its database is to be used again: tables, functions, rights, roles, settings of the session. */
  shape: string
  /** All tables, as SQL writes them. */
  tables: readonly string[]
  kept: readonly Kept[]
  /** Where the sequences stand. */
  sequences: string
}

/** Most that a changed table may weigh: removed rows stay in its file, and are read again and again. In bytes. */
const HEAVIEST = 256_000

const OURS = "n.nspname !~ '^(pg_|information_schema$)'"

const SHAPE = `select md5(concat(
  (select string_agg(concat_ws(' ', c.oid, c.relname, c.relnamespace, c.relowner, c.relacl, c.relrowsecurity, c.relforcerowsecurity, c.relkind, c.relnatts), ',' order by c.oid)
     from pg_class c join pg_namespace n on n.oid = c.relnamespace where ${OURS}),
  (select string_agg(concat_ws(' ', oid, xmin), ',' order by oid) from pg_proc where oid > 16383),
  (select string_agg(concat_ws(' ', oid, xmin), ',' order by oid) from pg_policy),
  (select string_agg(concat_ws(' ', oid, tgenabled), ',' order by oid) from pg_trigger),
  (select string_agg(concat_ws(' ', oid, nspname, nspacl), ',' order by oid) from pg_namespace),
  (select string_agg(concat_ws(' ', oid, xmin), ',' order by oid) from pg_authid),
  (select string_agg(concat_ws(' ', roleid, member), ',' order by roleid, member) from pg_auth_members),
  (select string_agg(concat_ws(' ', oid, xmin), ',' order by oid) from pg_constraint),
  (select string_agg(concat_ws(' ', adrelid, adnum, xmin), ',' order by adrelid, adnum) from pg_attrdef),
  (select count(*) from pg_largeobject_metadata),
  (select string_agg(setconfig::text, ',' order by setdatabase, setrole) from pg_db_role_setting),
  (select string_agg(concat_ws('=', name, setting), ',' order by name) from pg_settings where source = 'session'),
  current_user, session_user)) as shape`

const TABLES = `select format('%I.%I', n.nspname, c.relname) as name
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and ${OURS} order by 1`

const SEQUENCES = `select coalesce(string_agg(format('%s %s', seq.seqrelid::regclass, pg_sequence_last_value(seq.seqrelid)), ',' order by seq.seqrelid), '') as sequences
  from pg_sequence seq`

const one = async <Row>(db: Queryable, sql: string): Promise<Row> => {
  const { rows } = await db.query<Row>(sql)
  if (!rows[0]) throw new Error('Postgres gave no row.')
  return rows[0]
}

const rowsOf = (table: string) =>
  `select '${table}' as name, coalesce(jsonb_agg(to_jsonb(row)), '[]')::text as rows from ${table} row`

/** Looks at a database that nobody has used. */
export async function lookAt(db: Queryable): Promise<Pristine> {
  const { rows: named } = await db.query<{ name: string }>(TABLES)
  const tables = named.map(({ name }) => name)
  const { rows } = await db.query<{ name: string; rows: string }>(tables.map(rowsOf).join(' union all '))
  return {
    shape: (await one<{ shape: string }>(db, SHAPE)).shape,
    tables,
    kept: rows.flatMap(({ name, rows }) => (rows === '[]' ? [] : [{ table: name, rows }])),
    sequences: (await one<{ sequences: string }>(db, SEQUENCES)).sequences,
  }
}

/** Gives a database the rows back that it had. False where more than rows was changed: then it is of no use any more. */
export async function restore(db: Queryable, { shape, tables, kept, sequences }: Pristine): Promise<boolean> {
  if ((await one<{ shape: string }>(db, SHAPE)).shape !== shape) return false
  const known = new Map(kept.map(({ table, rows }) => [table, rows]))
  const changed = await changedTables(db, tables, known)
  if (await isHeavy(db, changed)) return false
  // Triggers and foreign keys rest meanwhile.
  const again = changed.flatMap((table) => {
    const rows = known.get(table)
    return rows === undefined ? [] : [insertOf(table, rows)]
  })
  if (changed.length > 0)
    await db.exec(
      [
        'set session_replication_role = replica',
        ...changed.map((table) => `delete from ${table}`),
        ...again,
        'reset session_replication_role',
      ].join(';\n'),
    )
  const now = (await one<{ sequences: string }>(db, SEQUENCES)).sequences
  if (now !== sequences) await db.exec(sequencesBack(sequences, now))
  await db.exec('select pg_advisory_unlock_all(); discard temp; discard sequences')
  return true
}

async function changedTables(
  db: Queryable,
  tables: readonly string[],
  known: ReadonlyMap<string, string>,
): Promise<string[]> {
  const empty = tables.filter((table) => !known.has(table))
  const looks = [
    ...empty.map((table) => `select '${table}' as name, '' as rows where exists (select from ${table})`),
    ...[...known.keys()].map(rowsOf),
  ]
  const { rows } = await db.query<{ name: string; rows: string }>(looks.join(' union all '))
  return rows.filter(({ name, rows }) => rows !== known.get(name)).map(({ name }) => name)
}

const isHeavy = async (db: Queryable, tables: readonly string[]): Promise<boolean> => {
  const sizes = tables.map((table) => `select pg_relation_size('${table}') as size`)
  if (sizes.length === 0) return false
  const { rows } = await db.query<{ size: number }>(sizes.join(' union all '))
  return rows.some(({ size }) => size > HEAVIEST)
}

/** Columns that the database computes are left to it. */
const insertOf = (table: string, rows: string): string => {
  const literal = `'${rows.replaceAll("'", "''")}'`
  return `do $restore$ declare columns text; begin
    select string_agg(quote_ident(attname), ', ') into columns from pg_attribute
      where attrelid = '${table}'::regclass and attnum > 0 and not attisdropped and attgenerated = '';
    execute format('insert into ${table} (%1$s) overriding system value select %1$s from jsonb_populate_recordset(null::${table}, $1)', columns)
      using ${literal}::jsonb; end $restore$`
}

const sequencesBack = (before: string, now: string): string => {
  const then = new Set(before.split(','))
  return now
    .split(',')
    .filter((each) => !then.has(each))
    .map((each) => {
      const [name = ''] = each.split(' ')
      const [, value] = [...then].map((one) => one.split(' ')).find(([one]) => one === name) ?? []
      return value ? `select setval('${name}', ${value})` : `alter sequence ${name} restart`
    })
    .join('; ')
}
