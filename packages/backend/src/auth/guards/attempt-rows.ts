import type { Queryable } from '@heyline/database'
import { hasCome, leftUntil } from '@heyline/kit/stored-time'
import { type Count, counted, LOOK_EVERY_MS, RULES, type Rule } from './rules.js'

export type Kind = keyof typeof RULES

/** The keys of an attempt, by what each counts. */
export type Keys = Partial<Record<Kind, string>>

/** The keys by which a network that the account doesn't know may try while the account waits: strangers must not win each moment between. */
export interface Look {
  /** Of the network. */
  look: string
  /** Of all such networks. */
  looks: string
}

interface CountRow {
  key: string
  level: number
  updated_at: Date
  blocked_until: Date | null
}

/** The longest wait of each key, in ms. */
const longestMs = (kind: Kind | 'look'): number => (kind === 'look' ? LOOK_EVERY_MS : RULES[kind].longestMs)

/** Makes the rows that are missing, and takes them all. No wait is longer than those of its kind. */
export async function lock(tx: Queryable, keys: Keys | Look, now: number): Promise<Map<string, Count>> {
  const kinds = new Map(Object.entries(keys).map(([kind, key]) => [key, kind as Kind | 'look']))
  await tx.query(
    `insert into auth.attempts (key, updated_at)
     select value, $2 from jsonb_array_elements_text($1) with ordinality order by ordinality
     on conflict (key) do nothing`,
    [[...kinds.keys()].sort(), new Date(now)],
  )
  const rows = await take(tx, [...kinds.keys()])
  return new Map(
    rows.map(({ key, level, updated_at, blocked_until }) => {
      const kind = kinds.get(key)
      const left = kind ? leftUntil(blocked_until?.getTime(), { now, longestMs: longestMs(kind) }) : 0
      return [key, { level, updatedAt: updated_at.getTime(), blockedUntil: left > 0 ? now + left : 0 }]
    }),
  )
}

/** Takes the rows for this transaction, always in one order: nobody waits for somebody who waits for him. */
export async function take(tx: Queryable, keys: readonly string[]): Promise<CountRow[]> {
  const { rows } = await tx.query<CountRow>(
    `select key, level, updated_at, blocked_until from auth.attempts
     where key in (select jsonb_array_elements_text($1)) order by key for update`,
    [keys],
  )
  return rows
}

export async function store(tx: Queryable, counts: readonly (readonly [string, Count])[]): Promise<void> {
  const rows = counts.map(([key, { level, updatedAt, blockedUntil }]) => ({
    key,
    level,
    updated_at: new Date(updatedAt),
    blocked_until: blockedUntil > 0 ? new Date(blockedUntil) : null,
  }))
  await tx.query(
    `update auth.attempts a set level = r.level, updated_at = r.updated_at, blocked_until = r.blocked_until
     from jsonb_to_recordset($1) as r(key text, level float8, updated_at timestamptz, blocked_until timestamptz)
     where a.key = r.key`,
    [rows],
  )
}

/**
 * Counts one more of what brings no wait, in a transaction that holds what the key stands for. Resolves with how many there are now; of those
 * beyond the free ones it stores one.
 */
export async function countUp(
  tx: Queryable,
  { key, rule, now }: { key: string; rule: Rule; now: number },
): Promise<number> {
  const { rows } = await tx.query<Pick<CountRow, 'level' | 'updated_at'>>(
    'select level, updated_at from auth.attempts where key = $1',
    [key],
  )
  const [row] = rows
  const updatedAt = row?.updated_at.getTime() ?? 0
  const before = row && hasCome(updatedAt, now) ? { level: row.level, updatedAt, blockedUntil: 0 } : undefined
  const { level } = counted(rule, before, now)
  await tx.query(
    `insert into auth.attempts (key, level, updated_at) values ($1, $2, $3)
     on conflict (key) do update set level = excluded.level, updated_at = excluded.updated_at`,
    [key, Math.min(level, rule.free + 1), new Date(now)],
  )
  return level
}

/** Writes a row that counts nothing: what is asked for somebody and for nobody shall cost the same. */
export async function touch(tx: Queryable, key: string, now: number): Promise<void> {
  await tx.query(
    `insert into auth.attempts (key, updated_at) values ($1, $2)
     on conflict (key) do update set updated_at = excluded.updated_at`,
    [key, new Date(now)],
  )
}
