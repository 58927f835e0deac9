import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { auditRepeated } from '../audit/audit.js'
import { hold } from '../sessions/held-session.js'
import { lacksSecond, type SignedIn } from '../sessions/session.js'
import { AuthError } from '../wire/auth-error.js'
import { idOf, readFields } from '../wire/fields.js'
import type { AuthRequest, AuthRoute } from '../wire/request.js'
import { addChallenge, CHALLENGE_LIFE_S } from './challenge.js'
import { KeyedHash, newPhoneCode } from './codes.js'
import { answerableFactor, type FactorRow } from './factor.js'
import { CodeGuesses } from './guesses.js'
import { type FactorParts, ISSUER_NAME } from './parts.js'
import { lineShape } from './readers.js'
import { Texts } from './texts.js'

const challengeShape = z.object({ channel: lineShape('channel') })

interface Made {
  id: string
  factor: FactorRow
  at: Date
  text?: Prepared
}

/** A text that is counted already, and not sent yet. */
interface Prepared {
  id: string
  send(): Promise<void>
}

/** `POST /factors/{id}/challenge`: asks for a code. A phone is sent one. */
export function challenging(parts: FactorParts): AuthRoute {
  const { db, sessions, sessionTurns, key, sendText, clock, logger } = parts
  const hashes = new KeyedHash(key)
  const guesses = new CodeGuesses(parts)
  const texts = new Texts({ hashes, clock })

  async function begin(asked: AuthRequest): Promise<Made> {
    const signedIn = await sessions.authenticate(asked.request)
    const { channel } = readFields(challengeShape, asked.body)
    if (channel && channel !== 'sms') throw AuthError.invalid("Invalid channel, supported values are 'sms'.")
    return await make(asked, signedIn)
  }

  const make = (asked: AuthRequest, signedIn: SignedIn): Promise<Made> =>
    db.transaction(async (tx) => {
      const held = await hold(tx, signedIn)
      const { user } = held
      const factor = await answerableFactor(tx, held, idOf(asked.ids, 0, 'factor_id'))
      await guesses.demandOpen(tx, { factor, userId: user.id, place: asked.place, isRecovery: false })
      const id = randomUUID()
      const at = new Date(clock.now())
      const challenge = { id, factorId: factor.id, address: asked.address, at }
      const { phone } = factor
      let text: Prepared | undefined
      if (phone === null) await addChallenge(tx, challenge)
      else {
        if (!sendText)
          throw new AuthError(422, 'mfa_phone_verify_not_enabled', 'MFA verification is disabled for Phone')
        const code = newPhoneCode()
        const body = `${code} is your ${ISSUER_NAME} code. It is good for ${CHALLENGE_LIFE_S / 60} minutes.`
        const isStranger = lacksSecond(held) && held.session.known === null
        const textId = await texts.count(tx, { userId: user.id, phone, isStranger })
        text = { id: textId, send: () => sendText({ to: phone, body }) }
        await addChallenge(tx, { ...challenge, otpHash: hashes.hash(code, id) })
      }
      await tx.query('update auth.mfa_factors set last_challenged_at = $2 where id = $1', [factor.id, at])
      const traits = { factor_id: factor.id, factor_status: factor.status }
      await auditRepeated(tx, { action: 'challenge_created', actor: user, address: asked.address, traits })
      return { id, factor, at, ...(text && { text }) }
    })

  /** Sends it, outside of the transaction. What could not be sent costs nothing of what may be sent. */
  async function deliver({ id, factor }: Made, text: Prepared): Promise<void> {
    try {
      await text.send()
    } catch (cause) {
      await db.transaction(async (tx) => {
        await texts.discount(tx, text.id)
        await tx.query('delete from auth.mfa_challenges where id = $1', [id])
        await tx.query('update auth.mfa_factors set last_challenged_at = $2 where id = $1', [
          factor.id,
          factor.last_challenged_at,
        ])
      })
      logger.warn({ reason: reasonOf(cause, factor) }, 'a code could not be sent to a phone')
      throw new AuthError(
        422,
        'sms_send_failed',
        'The text message could not be sent. Try again later, or use another second factor',
        { cause },
      )
    }
  }

  return async (asked) => {
    const made = await sessionTurns.run(asked, () => begin(asked))
    // A text may take seconds: others have their turns meanwhile.
    if (made.text) await deliver(made, made.text)
    const expires_at = Math.floor(made.at.getTime() / 1000) + CHALLENGE_LIFE_S
    return { body: { id: made.id, type: made.factor.factor_type, expires_at } }
  }
}

/** Why a text was not sent, without its number: logs hold none. */
function reasonOf(cause: unknown, { phone }: FactorRow): string {
  const said = cause instanceof Error ? cause.message : String(cause)
  return phone ? said.replaceAll(phone.slice(1), '(number)') : said
}
