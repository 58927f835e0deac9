import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject, randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import type { Db, Queryable } from '@heyline/database'
import type { Clock } from '@heyline/kit/clock'
import type { Seal } from '@heyline/kit/seal'
import { TOKEN_LIFE_S } from './token-life.js'

/** How old what this process knows of the keys may be: another process may have made a new one. */
const KNOWN_FOR_MS = 60_000
/** How often tokens with an unknown key may have it look again. */
const LOOK_AGAIN_MS = 1_000
/** A former key verifies until its last token has ended. Another process may sign with it a while longer. */
const FORMER_FOR_MS = TOKEN_LIFE_S * 1000 + 5 * KNOWN_FOR_MS

/** A public key as clients get it. */
export interface PublicJwk {
  kid: string
  kty: string
  crv: string
  x: string
  y: string
  alg: 'ES256'
  use: 'sig'
  key_ops: ['verify']
}

interface KeyRow {
  kid: string
  public_jwk: PublicJwk
  private_key: string
  status: 'current' | 'former'
}

interface Known {
  rows: readonly KeyRow[]
  publicKeys: ReadonlyMap<string, KeyObject>
}

interface Signer {
  kid: string
  privateKey: KeyObject
}

const pair = promisify(generateKeyPair)

/** The keys that sign access tokens (ES256), in the database, for all processes. The first one is made when it is needed. */
export class SigningKeys {
  readonly #db: Db
  readonly #seal: Seal
  readonly #clock: Clock
  #known: Promise<Known> | undefined
  #prepared: Known | undefined
  #lookedAt = Number.NEGATIVE_INFINITY
  #signer: Signer | undefined

  constructor({ db, seal, clock }: { db: Db; seal: Seal; clock: Clock }) {
    this.#db = db
    this.#seal = seal
    this.#clock = clock
  }

  /** Looks the keys up where what is known of them is old. Never inside a transaction: others may wait for the same look. */
  async prepare(): Promise<void> {
    this.#prepared = await this.#keys()
  }

  /** The key that signs, as of the last `prepare`: no statement runs. Throws a `SealError` where this installation cannot open it. */
  signer(): Signer {
    const row = this.#prepared?.rows.find(({ status }) => status === 'current')
    if (!row) throw new Error('No signing key was prepared')
    if (this.#signer?.kid !== row.kid)
      this.#signer = { kid: row.kid, privateKey: createPrivateKey(this.#seal.open(row.private_key, row.kid)) }
    return this.#signer
  }

  /** The key that verifies a token, while its tokens may still hold. */
  async verifier(kid: string): Promise<KeyObject | undefined> {
    const known = (await this.#keys()).publicKeys.get(kid)
    if (known || this.#clock.monotonic() - this.#lookedAt < LOOK_AGAIN_MS) return known
    this.#known = undefined
    return (await this.#keys()).publicKeys.get(kid)
  }

  /** The public keys whose tokens may still hold. */
  async publicJwks(): Promise<PublicJwk[]> {
    return (await this.#keys()).rows.map(({ public_jwk }) => public_jwk)
  }

  /** A new key signs from now on; other processes sign with it within a minute. The former one still verifies. */
  async rotate(tx: Queryable): Promise<{ kid: string }> {
    await tx.query("select pg_advisory_xact_lock(hashtextextended('auth.signing_keys', 0))")
    const now = new Date(this.#clock.now())
    await tx.query(
      "update auth.signing_keys set status = 'former', retired_at = $1 where status = 'current'",
      [now],
    )
    return { kid: await this.#insert(tx) }
  }

  /** What this process knows is looked up again, after a rotation. */
  forget(): void {
    this.#known = undefined
  }

  #keys(): Promise<Known> {
    const known = this.#known
    if (known && this.#clock.monotonic() - this.#lookedAt < KNOWN_FOR_MS) return known
    this.#lookedAt = this.#clock.monotonic()
    const loading = this.#load()
    this.#known = loading
    loading.catch(() => {
      // The next one tries again.
      if (this.#known === loading) this.#known = undefined
    })
    return loading
  }

  async #load(): Promise<Known> {
    const rows = await this.#read()
    if (!rows.some(({ status }) => status === 'current')) {
      await this.#insert(this.#db)
      rows.splice(0, rows.length, ...(await this.#read()))
    }
    const publicKeys = rows.map(
      ({ kid, public_jwk }) => [kid, createPublicKey({ key: { ...public_jwk }, format: 'jwk' })] as const,
    )
    return { rows, publicKeys: new Map(publicKeys) }
  }

  async #read(): Promise<KeyRow[]> {
    const { rows } = await this.#db.query<KeyRow>(
      `select kid, public_jwk, private_key, status from auth.signing_keys
       where status = 'current' or retired_at > $1 order by created_at desc, kid`,
      [new Date(this.#clock.now() - FORMER_FOR_MS)],
    )
    return rows
  }

  /** Makes a key that is current, unless there is one. */
  async #insert(tx: Queryable): Promise<string> {
    const kid = randomUUID()
    const { publicKey, privateKey } = await pair('ec', { namedCurve: 'P-256' })
    const jwk = { ...publicKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig', key_ops: ['verify'] }
    const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
    await tx.query(
      `insert into auth.signing_keys (kid, public_jwk, private_key, status, created_at) values ($1, $2, $3, 'current', $4)
       on conflict do nothing`,
      [kid, jwk, this.#seal.seal(pem, kid), new Date(this.#clock.now())],
    )
    return kid
  }
}
