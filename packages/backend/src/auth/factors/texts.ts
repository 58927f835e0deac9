import type { Queryable } from '@heyline/database'
import type { Clock } from '@heyline/kit/clock'
import { AuthError } from '../wire/auth-error.js'
import type { KeyedHash } from './codes.js'
import { LONGEST_WINDOW_MS, type SentText, waitForText } from './text-limits.js'

/** A text that somebody wants. */
interface AskedText {
  userId: string
  phone: string
  /** Who asks has the password alone, at a place that the account doesn't know. */
  isStranger: boolean
}

/** Counts the texts of all processes. */
export class Texts {
  readonly #hashes: KeyedHash
  readonly #clock: Clock

  constructor({ hashes, clock }: { hashes: KeyedHash; clock: Clock }) {
    this.#hashes = hashes
    this.#clock = clock
  }

  /** Counts one before it is sent, or refuses it: 429 `over_sms_send_rate_limit`. One transaction at a time. Gives its id. */
  async count(tx: Queryable, { userId, phone, isStranger }: AskedText): Promise<string> {
    await tx.query("select pg_advisory_xact_lock(hashtextextended('auth.mfa_texts', 0))")
    const now = this.#clock.now()
    const { rows: texts } = await tx.query<SentText>(
      'select user_id, phone_hash, sent_at, failed, is_strangers from auth.mfa_texts where sent_at > $1',
      [new Date(now - LONGEST_WINDOW_MS)],
    )
    const phoneHash = this.#hashes.hash(phone, 'phone')
    const waitMs = waitForText(texts, { userId, phoneHash, isStranger, now })
    if (waitMs > 0) throw tooSoon(waitMs)
    const { rows } = await tx.query<{ id: string }>(
      'insert into auth.mfa_texts (user_id, phone_hash, sent_at, is_strangers) values ($1, $2, $3, $4) returning id',
      [userId, phoneHash, new Date(now), isStranger],
    )
    return String(rows[0]?.id)
  }

  /** It was not sent after all. */
  async discount(tx: Queryable, id: string): Promise<void> {
    await tx.query('update auth.mfa_texts set failed = true where id = $1', [id])
  }
}

function tooSoon(waitMs: number): AuthError {
  const seconds = Math.ceil(waitMs / 1000)
  const message = `For security purposes, you can only request this after ${seconds} seconds.`
  return AuthError.tooMany(message, waitMs, 'over_sms_send_rate_limit')
}
