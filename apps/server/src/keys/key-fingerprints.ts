import { randomBytes, scrypt } from 'node:crypto'
import type { Db, Queryable } from '@heyline/database'

/** A key that all servers of one database have in common. */
export interface SharedKey {
  /** The setting that gives it, whatever it is from. */
  name: string
  value: string
  /** What it takes the place of: it holds, too. */
  former?: string | undefined
  /** What `keys.json` has, where `HEYLINE_SECRET` makes another one. */
  left?: string | undefined
}

/**
 * What the database says of a key: it is the one that it knows; it knows none of this name; it knows another one; the one that it knows, or
 * was used so far, is what `keys.json` has.
 */
export type Standing = 'known' | 'new' | 'other' | 'left'
export type Standings = ReadonlyMap<string, Standing>

interface Row {
  key: string
  salt: string
  fingerprint: string
}

/** About 20 ms and 8 MB: a key that a person made up is hard to guess, and a start is not slowed down. */
const COST = { N: 2 ** 13, r: 8, p: 1 }
const BYTES = 16
const LOCK = "select pg_advisory_xact_lock(hashtextextended('back_office.key_fingerprints', 0))"

/** Fingerprints of keys in the database: salted, slow, one way, and of each name apart. They tell nothing of a key. */
export class KeyFingerprints {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  /** How these keys stand. Reads only. */
  async standings(keys: readonly SharedKey[]): Promise<Standings> {
    return standingsOf(await compareAll(keys, await this.#read(this.#db)))
  }

  /**
   * Stores that these keys are the ones, if `judge` does not throw. `judge` may run several times, because other servers may start at once.
   * `noted` runs in the same transaction, with the names of the keys that are other ones than before.
   */
  async settle(
    keys: readonly SharedKey[],
    judge: (standings: Standings) => void,
    noted: (tx: Queryable, names: string[]) => Promise<void> = async () => {},
  ): Promise<Standings> {
    for (;;) {
      const rows = await this.#read(this.#db)
      const compared = await compareAll(keys, rows)
      const standings = standingsOf(compared)
      judge(standings)
      const made = compared.flatMap(({ name, missing }) => missing.map((value) => newRow(name, value)))
      const wanted = [...compared.flatMap(({ kept }) => kept), ...(await Promise.all(made))]
      const others = rows.filter(({ key }) => !standings.has(key))
      const isStored = await this.#db.transaction(async (tx) => {
        await tx.query(LOCK)
        if (textOf(await this.#read(tx)) !== textOf(rows)) return false
        await replace(tx, rows, [...wanted, ...others])
        const names = [...standings].flatMap(([name, standing]) => (standing === 'known' ? [] : [name]))
        if (names.length > 0) await noted(tx, names)
        return true
      })
      if (isStored) return standings
    }
  }

  async #read(db: Queryable): Promise<Row[]> {
    const { rows } = await db.query<Row>(
      'select key, salt, fingerprint from back_office.key_fingerprints order by key, salt',
    )
    return rows
  }
}

/** What the rows say of one key. */
interface Compared {
  name: string
  standing: Standing
  /** Rows of the key, and of the one whose place it takes. */
  kept: Row[]
  /** Which of the two have none. */
  missing: string[]
}

const compareAll = (keys: readonly SharedKey[], rows: readonly Row[]): Promise<Compared[]> =>
  Promise.all(
    keys.map((key) =>
      compare(
        key,
        rows.filter((row) => row.key === key.name),
      ),
    ),
  )

async function compare({ name, value, former, left }: SharedKey, own: readonly Row[]): Promise<Compared> {
  const kept: Row[] = []
  const missing: string[] = []
  for (const each of former === undefined || former === value ? [value] : [value, former]) {
    const row = await rowOf(each, own)
    if (row) kept.push(row)
    else missing.push(each)
  }
  if (kept.length > 0) return { name, standing: 'known', kept, missing }
  const isLeft = left !== undefined && (own.length === 0 || (await rowOf(left, own)) !== undefined)
  return { name, standing: isLeft ? 'left' : own.length === 0 ? 'new' : 'other', kept, missing }
}

const standingsOf = (compared: readonly Compared[]): Standings =>
  new Map(compared.map(({ name, standing }) => [name, standing]))

async function rowOf(value: string, rows: readonly Row[]): Promise<Row | undefined> {
  for (const row of rows) if ((await fingerprintOf(row.key, value, row.salt)) === row.fingerprint) return row
  return undefined
}

async function newRow(key: string, value: string): Promise<Row> {
  const salt = randomBytes(BYTES).toString('hex')
  return { key, salt, fingerprint: await fingerprintOf(key, value, salt) }
}

function fingerprintOf(name: string, value: string, salt: string): Promise<string> {
  const domain = Buffer.from(`heyline key fingerprint: ${name}: ${salt}`)
  return new Promise((resolve, reject) =>
    scrypt(value, domain, BYTES, COST, (error, bytes) =>
      error ? reject(error) : resolve(bytes.toString('hex')),
    ),
  )
}

const textOf = (rows: readonly Row[]): string => rows.map(({ key, salt }) => `${key} ${salt}`).join()

/** Writes the difference alone. */
async function replace(tx: Queryable, before: readonly Row[], after: readonly Row[]): Promise<void> {
  for (const { key, salt } of before.filter((row) => !after.includes(row)))
    await tx.query('delete from back_office.key_fingerprints where key = $1 and salt = $2', [key, salt])
  for (const { key, salt, fingerprint } of after.filter((row) => !before.includes(row)))
    await tx.query('insert into back_office.key_fingerprints (key, salt, fingerprint) values ($1, $2, $3)', [
      key,
      salt,
      fingerprint,
    ])
}
