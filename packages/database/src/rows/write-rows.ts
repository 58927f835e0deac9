import type { Queryable } from '../db/db.js'
import { type IsKept, type KeptTable, keptTables, quoted, quotedName } from './kept-tables.js'
import type { RowBatch, RowsEnd } from './read-rows.js'

/** Rows that do not fit the tables. */
export class RowsError extends Error {
  override readonly name = 'RowsError'
}

/**
 * Puts these rows in the place of those of the kept tables. No trigger tells of them, and foreign keys are checked when all are there. Everything
 * is one transaction, its caller's. The login owns the tables.
 * @throws RowsError when the batches are not those of these tables, or some are missing
 */
export async function writeRows(
  tx: Queryable,
  batches: AsyncGenerator<RowBatch, RowsEnd>,
  isKept: IsKept,
): Promise<RowsEnd> {
  const tables = await keptTables(tx, isKept)
  const names = tables.map(({ name }) => name)
  const all = names.map(quoted).join(', ')
  const keys = await foreignKeys(tx, names)
  for (const { table, name } of keys)
    await tx.exec(`alter table ${quoted(table)} drop constraint ${quotedName(name)}`)
  for (const name of names) await tx.exec(`alter table ${quoted(name)} disable trigger user`)
  await tx.exec(`truncate ${all}`)

  const counts: Record<string, number> = {}
  let next = await batches.next()
  for (; !next.done; next = await batches.next()) {
    const batch = next.value
    const table = tables.find(({ name }) => name === batch.table)
    if (!table) throw new RowsError(`There is no table ${batch.table} to put rows into`)
    counts[batch.table] = (counts[batch.table] ?? 0) + (await insert(tx, table, batch))
  }
  const end = next.value
  checkCounts(counts, end.counts)
  for (const [name, { value, isCalled }] of Object.entries(end.sequences))
    await tx.query('select setval($1::text::regclass, $2::bigint, $3::boolean)', [
      quoted(name),
      value,
      isCalled,
    ])
  for (const name of names) await tx.exec(`alter table ${quoted(name)} enable trigger user`)
  for (const { table, name, definition } of keys)
    await tx.exec(`alter table ${quoted(table)} add constraint ${quotedName(name)} ${definition}`)
  await tx.exec(`analyze ${all}`)
  return end
}

/** Resolves with how many rows were stored. */
async function insert(
  tx: Queryable,
  table: KeptTable,
  { columns, rows }: Pick<RowBatch, 'columns' | 'rows'>,
): Promise<number> {
  const values = columns.map((column, index) => {
    const known = table.columns.find(({ name }) => name === column)
    if (!known) throw new RowsError(`The table ${table.name} has no column ${column}`)
    return `(r.value ->> ${index})::${known.type}`
  })
  const { rowCount } = await tx.query(
    `insert into ${quoted(table.name)} (${columns.map(quotedName).join(', ')}) overriding system value
     select ${values.join(', ')} from jsonb_array_elements($1::jsonb) r`,
    [rows],
  )
  return rowCount
}

interface ForeignKey {
  table: string
  name: string
  definition: string
}

async function foreignKeys(tx: Queryable, tables: readonly string[]): Promise<ForeignKey[]> {
  const { rows } = await tx.query<ForeignKey>(
    `select n.nspname || '.' || c.relname as table, k.conname as name, pg_get_constraintdef(k.oid) as definition
     from pg_catalog.pg_constraint k
     join pg_catalog.pg_class c on c.oid = k.conrelid
     join pg_catalog.pg_namespace n on n.oid = c.relnamespace
     where k.contype = 'f' and $1::jsonb ? (n.nspname || '.' || c.relname)`,
    [tables],
  )
  return rows
}

/** @throws RowsError */
export function checkCounts(found: Record<string, number>, told: Record<string, number>): void {
  for (const table of new Set([...Object.keys(found), ...Object.keys(told)]))
    if ((found[table] ?? 0) !== (told[table] ?? 0))
      throw new RowsError(`Of ${told[table] ?? 0} rows of ${table}, ${found[table] ?? 0} are there`)
}
