import type { Queryable } from '@heyline/database'
import { Seal, SealError } from '@heyline/kit/seal'
import type { Page } from '@heyline/platform-client'
import { z } from 'zod'
import { ApiError } from './api-error.js'
import { type Author, noted, notedSql } from './author.js'
import { type FoundBy, foundBy } from './found-by.js'
import { type PageWindow, readPage } from './list-page.js'
import { type Equal, type ListWindow, windowSql } from './list-window.js'
import { listedRows } from './listed-rows.js'
import type { RowKey } from './row-parts.js'
import {
  mergedSecrets,
  refuseElsewhere,
  type SecretFields,
  withoutSecretParts,
  withSecretParts,
} from './secret-parts.js'
import { valueAt } from './value-at.js'

type Settings = Record<string, unknown>

interface Row {
  id: string
  org_id: string
  settings: Settings
  sealed: string | null
  bytes: number | null
  of_members: string[] | null
  created_at: Date
  updated_at: Date
}

/** A family of resources: the first segment of its paths, and what of its settings is secret. */
export interface Family {
  name: string
  secrets: SecretFields
  /** Fields that say where secrets are sent: with another value, secrets that are not given anew are dropped, or the change is refused where all settings are secret. */
  destinations: readonly string[]
  /** Where given, every other setting is secret. */
  open?: readonly string[]
  /** Settings of which is kept whether a member below admin wrote them last. */
  watched?: readonly string[]
}

/** A resource for use in a call. */
export interface WholeResource {
  /** With their secrets. */
  settings: Settings
  /** The watched settings that a member below admin wrote last. */
  ofMembers: ReadonlySet<string>
}

/** What holds secrets deep inside: how it is stored, and how an answer shows it. */
export interface Inside {
  stored(settings: Settings, before?: Settings): Settings
  shown(settings: Settings): Settings
}

/** A stored resource as the API shows it. */
export interface Resource extends Settings {
  id: string
  orgId: string
  createdAt: string
  updatedAt: string
}

const TABLE = 'voice_platform.resources'
const COLUMNS =
  'id, (select org_id from voice_platform.settings) as org_id, settings, sealed, bytes, of_members, created_at, updated_at'
/** Most resources of one family, most bytes of one, and most of all of a family. */
const MOST = 10_000
const MOST_BYTES = 1_000_000
const MOST_FAMILY_BYTES = 200_000_000
/** In SQL: how many bytes of a resource are stored. */
export const sizeSql = (settings: string, sealed: string) =>
  `octet_length((${settings})::text) + coalesce(octet_length(${sealed}), 0)`
/** The key of a row, and its size: it is looked for only where the version before has stored it. */
const KEY = `id, coalesce(bytes, ${sizeSql('settings', 'sealed')}) as bytes`
/** How many there are of a family, which stands behind this, and their bytes. An index has both, so that no row is read. What others store meanwhile may go beyond. */
const STORED = `select count(*)::int as count, coalesce(sum(bytes), 0)::float8 as bytes from ${TABLE} where family = `
/** Stands for all settings of a family that names its open ones. */
const ALL = '*'
const NOTHING_INSIDE: Inside = { stored: (settings) => settings, shown: (settings) => settings }
const secretsOf = z.record(z.string(), z.record(z.string(), z.unknown()))

/** The stored resources of one family. Their secrets are sealed, and no answer has them. */
export class ResourceStore {
  readonly #db: Queryable
  readonly #family: Family
  readonly #seal: Seal | undefined
  readonly #inside: Inside

  /** @param key 32 bytes. Without one, secrets are refused. */
  constructor(db: Queryable, family: Family, key?: Uint8Array, inside: Inside = NOTHING_INSIDE) {
    this.#db = db
    this.#family = family
    this.#seal = key && new Seal(key)
    this.#inside = inside
  }

  async create(settings: Settings, author: Author = 'admin'): Promise<Resource> {
    const { rows } = await this.#db.query<{ id: string }>('select gen_random_uuid() as id', [])
    return await this.createOnce(z.object({ id: z.string() }).parse(rows[0]).id, settings, author)
  }

  /** The same under an id that says what it is of. What has this id already stays as it is, and is what this resolves with. */
  async createOnce(id: string, settings: Settings, author: Author = 'admin'): Promise<Resource> {
    const { added } = noted(this.#family.watched ?? [], settings, author)
    const { open, secrets } = this.#split(this.#inside.stored(settings))
    const created = await this.#one(
      `insert into ${TABLE} (id, family, settings, sealed, bytes, of_members)
       select $1::uuid, $2::text, $3::jsonb, $4::text, size.bytes, nullif($7::jsonb, '[]')
       from (${STORED} $2) stored, (select ${sizeSql('$3::jsonb', '$4::text')} as bytes) size
       where stored.count < $5 and stored.bytes + size.bytes <= $6 on conflict (id) do nothing returning ${COLUMNS}`,
      [id, this.#family.name, open, this.#sealed(id, secrets), MOST, MOST_FAMILY_BYTES, added],
    )
    const stored = created ?? (await this.#row(id))
    if (!stored) throw await this.#full()
    return this.#view(stored)
  }

  async get(id: string): Promise<Resource | undefined> {
    const row = await this.#row(id)
    return row && this.#view(row)
  }

  /** Newest first. */
  async list(window: ListWindow, equal: Equal = {}): Promise<Resource[]> {
    const { sql, parameters } = windowSql(window, { ...equal, family: this.#family.name })
    const { rows } = await this.#db.query<RowKey>(`select ${KEY} from ${TABLE} ${sql}`, parameters)
    return await this.#listed(rows)
  }

  /** One page, in the order that the window asks for. */
  async page(window: PageWindow, equal: Equal = {}): Promise<Page<Resource>> {
    const { results, metadata } = await readPage<RowKey>(this.#db, {
      ...{ table: TABLE, columns: KEY, window },
      equal: { ...equal, family: this.#family.name },
    })
    return { results: await this.#listed(results), metadata }
  }

  async #listed(keys: readonly RowKey[]): Promise<Resource[]> {
    const { name: family } = this.#family
    return await listedRows<Row, Resource>(this.#db, {
      ...{ table: TABLE, columns: COLUMNS, family, keys },
      show: (row) => this.#view(row),
    })
  }

  /** The whole settings of these, with their secrets, for use in a call. Those that do not exist are left out. */
  async whole(ids: readonly string[]): Promise<Settings[]> {
    return (await this.#wholes(ids)).map(({ settings }) => settings)
  }

  /** The same of one, and whose its settings are. */
  async wholeOf(id: string): Promise<WholeResource | undefined> {
    return (await this.#wholes([id]))[0]
  }

  async #wholes(ids: readonly string[]): Promise<WholeResource[]> {
    if (ids.length === 0) return []
    const { rows } = await this.#db.query<Row>(
      `select ${COLUMNS} from ${TABLE}
       where family = $1 and id::text = any (array(select jsonb_array_elements_text($2::jsonb)))`,
      [this.#family.name, ids],
    )
    const found = new Map(
      rows.map((row) => [row.id, { settings: this.#joined(row), ofMembers: new Set(row.of_members) }]),
    )
    return ids.flatMap((id) => found.get(id) ?? [])
  }

  /**
   * Replaces the given settings, each as a whole; those that somebody else changes meanwhile stay changed. Secrets that are not given anew
   * stay, as long as they go to the same place.
   */
  async update(id: string, settings: Settings, author: Author = 'admin'): Promise<Resource | undefined> {
    const row = await this.#row(id)
    if (!row) return undefined
    const { open, secrets } = this.#split(this.#inside.stored(settings, row.settings))
    const merged = { ...row.settings, ...open }
    refuseLarge(merged)
    const goesElsewhere = this.#family.destinations.some(
      (path) => valueAt(merged, path) !== valueAt(row.settings, path),
    )
    const sealed = this.#sealedAnew(row, secrets, goesElsewhere)
    await this.#refuseGrowth(byteLength(merged) + (sealed?.length ?? 0) - (row.bytes ?? 0))
    const { written, added } = noted(this.#family.watched ?? [], settings, author)
    const updated = await this.#one(
      `update ${TABLE} set settings = settings || $3::jsonb, sealed = $4, updated_at = now(),
         bytes = ${sizeSql('settings || $3::jsonb', '$4::text')},
         of_members = ${notedSql('$5', '$6')}
       where id = $1 and family = $2 returning ${COLUMNS}`,
      [id, this.#family.name, open, sealed, written, added],
    )
    return updated && this.#view(updated)
  }

  async delete(id: string): Promise<Resource | undefined> {
    const row = await this.#one(`delete from ${TABLE} where id = $1 and family = $2 returning ${COLUMNS}`, [
      id,
      this.#family.name,
    ])
    return row && this.#view(row)
  }

  /** Deletes all whose text setting has this value. */
  async deleteWhere(setting: FoundBy, value: string): Promise<void> {
    await this.#db.query(`delete from ${TABLE} where family = $1 and ${foundBy(setting)} = $2`, [
      this.#family.name,
      value,
    ])
  }

  /** Rejects where as many bytes more are too many. */
  async #refuseGrowth(bytes: number): Promise<void> {
    if (bytes > 0 && (await this.#stored()).bytes + bytes > MOST_FAMILY_BYTES) throw await this.#full()
  }

  async #full(): Promise<ApiError> {
    const { name } = this.#family
    const { count } = await this.#stored()
    return new ApiError(
      400,
      count >= MOST
        ? `There are ${MOST} of ${name} already. Delete some first.`
        : `All of ${name} together would have more than ${MOST_FAMILY_BYTES / 1_000_000} MB. Delete those that are not needed any more first, the large ones before others.`,
    )
  }

  async #stored(): Promise<{ count: number; bytes: number }> {
    const { rows } = await this.#db.query(`${STORED} $1`, [this.#family.name])
    return z.object({ count: z.number(), bytes: z.number() }).parse(rows[0])
  }

  #split(settings: Settings): { open: Settings; secrets: Record<string, Settings> } {
    const { open: names, secrets: fields } = this.#family
    if (!names) return withoutSecretParts(settings, fields)
    const entries = Object.entries(settings)
    const secret = entries.filter(([name]) => !names.includes(name))
    return {
      open: Object.fromEntries(entries.filter(([name]) => names.includes(name))),
      secrets: secret.length > 0 ? { [ALL]: Object.fromEntries(secret) } : {},
    }
  }

  #joined(row: Row): Settings {
    const { [ALL]: all, ...secrets } = this.#opened(row)
    return { ...withSecretParts(row.settings, secrets), ...all }
  }

  #view(row: Row): Resource {
    return view({ ...row, settings: this.#inside.shown(row.settings) })
  }

  #row(id: string): Promise<Row | undefined> {
    return this.#one(`select ${COLUMNS} from ${TABLE} where id = $1 and family = $2`, [id, this.#family.name])
  }

  async #one(sql: string, parameters: unknown[]): Promise<Row | undefined> {
    const { rows } = await this.#db.query<Row>(sql, parameters)
    return rows[0]
  }

  /** With these secrets in the place of those that were given before. What was sealed with another key is lost. */
  #sealedAnew(row: Row, secrets: Record<string, Settings>, goesElsewhere: boolean): string | null {
    if (!goesElsewhere && Object.keys(secrets).length === 0) return row.sealed
    const kept = goesElsewhere ? {} : this.#known(row)
    refuseElsewhere(this.#family.destinations, kept[ALL], secrets[ALL])
    return this.#sealed(row.id, mergedSecrets(kept, secrets))
  }

  #sealed(id: string, secrets: Record<string, Settings>): string | null {
    if (Object.keys(secrets).length === 0) return null
    if (!this.#seal) throw new ApiError(422, 'This platform has no key to seal secrets with.')
    return this.#seal.seal(JSON.stringify(secrets), placeOf(id))
  }

  /** None where they were sealed with another key. */
  #known(row: Row): Record<string, Settings> {
    try {
      return this.#opened(row)
    } catch (error) {
      if (error instanceof SealError) return {}
      throw error
    }
  }

  /** Throws a `SealError` where they were sealed with another key. */
  #opened({ id, sealed }: Row): Record<string, Settings> {
    if (sealed === null || !this.#seal) return {}
    return secretsOf.parse(JSON.parse(this.#seal.open(sealed, placeOf(id))))
  }
}

const placeOf = (id: string) => `voice_platform.resources ${id}`

const byteLength = (settings: Settings): number => Buffer.byteLength(JSON.stringify(settings))

function refuseLarge(settings: Settings): void {
  if (byteLength(settings) > MOST_BYTES)
    throw new ApiError(413, `It would be larger than ${MOST_BYTES} bytes.`)
}

const view = ({ id, org_id, settings, created_at, updated_at }: Row): Resource => ({
  ...settings,
  id,
  orgId: org_id,
  createdAt: created_at.toISOString(),
  updatedAt: updated_at.toISOString(),
})
