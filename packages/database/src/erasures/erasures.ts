import type { Queryable } from '../db/db.js'

/** A moment in the order of erasures. It is read before a person is looked up, and given when something of the person is to be stored. */
export type ErasureMark = string

/** By what an erased person is known. */
export type ErasedBy = 'slug' | 'number'

/** In SQL: what is stored of a slug, whose case does not count, or of a number (E.164). */
const hashed = (kind: string, text: string): string =>
  `encode(sha256(convert_to(${kind} || ' ' || lower(${text}), 'UTF8')), 'hex')`

/** The latest erasure so far. */
export async function lastErasure(db: Queryable): Promise<ErasureMark> {
  const { rows } = await db.query<{ mark: ErasureMark }>(
    'select coalesce(max(seq), 0)::text as mark from call_desk.erasures',
    [],
    { prepared: true },
  )
  return rows[0]?.mark ?? '0'
}

/**
 * Remembers for a day that these were erased. To be asked in the transaction that erases, once it has the lock under which others store, so
 * that erasures are in order.
 */
export async function rememberErased(tx: Queryable, kind: ErasedBy, texts: readonly string[]): Promise<void> {
  if (texts.length === 0) return
  await tx.query(
    `insert into call_desk.erasures (id, kind)
     select distinct ${hashed('$1::text', 'given.text')}, $1::text from jsonb_array_elements_text($2::jsonb) given (text)
     on conflict (id) do update set seq = default, erased_at = now()`,
    [kind, texts],
  )
}

/**
 * By what the person was erased since the mark; undefined: not at all. To be asked in the transaction that stores, once it has the lock for
 * which the erasing waits. With a visitor of the same slug who was added since, whoever looks again reads a newer mark.
 */
export async function erasedSince(
  tx: Queryable,
  mark: ErasureMark,
  { slug, number }: { slug: string; number?: string },
): Promise<ErasedBy | undefined> {
  const { rows } = await tx.query<{ kind: ErasedBy }>(
    `select kind from call_desk.erasures
     where id in (${hashed("'slug'", '$2::text')}, ${hashed("'number'", '$3::text')}) and seq > $1::bigint
     order by kind desc limit 1`,
    [mark, slug, number],
    { prepared: true },
  )
  return rows[0]?.kind
}
