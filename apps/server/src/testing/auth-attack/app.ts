import { createHmac } from 'node:crypto'
import { type Answer, AUTH, type Person, type Target, type Tokens, tokensOf } from './target.js'

/** A step of an authenticator app, in ms. */
export const STEP_MS = 30_000

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The six digits that an app shows at a time in ms (RFC 6238). */
function digitsOf(secret: string, at: number): string {
  const bits = [...secret].map((letter) => LETTERS.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const step = Buffer.alloc(8)
  step.writeBigUInt64BE(BigInt(Math.floor(at / STEP_MS)))
  const mac = createHmac('sha1', key).update(step).digest()
  const place = (mac.at(-1) ?? 0) & 15
  return String((mac.readUInt32BE(place) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

/** A second factor of somebody, and the session that enrolled it. */
export class App {
  readonly #at: Target
  readonly id: string
  readonly #secret: string
  /** Of the session that verified it. */
  readonly tokens: Tokens

  private constructor(at: Target, id: string, secret: string, tokens: Tokens) {
    this.#at = at
    this.id = id
    this.#secret = secret
    this.tokens = tokens
  }

  /** Enrols it, and verifies it; afterwards its next code is good. */
  static async enrol(at: Target, person: Person): Promise<App> {
    const { access } = await at.signIn(person)
    const { json } = await at.ask('POST', `${AUTH}/factors`, { token: access, body: { factor_type: 'totp' } })
    const [id, secret] = [String(json.id), String(Object(json.totp).secret)]
    const answer = await answerChallenge(at, access, id, digitsOf(secret, at.clock.now()))
    if (answer.status !== 200) throw new Error(`The app was not verified: ${answer.text}`)
    at.clock.advance(STEP_MS)
    return new App(at, id, secret, tokensOf(answer.json))
  }

  /** What it shows now. */
  shown(): string {
    return digitsOf(this.#secret, this.#at.clock.now())
  }

  /** Six digits that are wrong now, and one step before and after. */
  wrong(): string {
    const now = this.#at.clock.now()
    const right = [-1, 0, 1].map((steps) => digitsOf(this.#secret, now + steps * STEP_MS))
    return ['000000', '111111', '222222', '333333'].find((code) => !right.includes(code)) ?? ''
  }
}

/** Asks for a challenge of a factor, and answers it. What refuses the challenge is the answer. */
export async function answerChallenge(
  at: Target,
  token: string,
  factor: string,
  code: string,
  address?: string,
): Promise<Answer> {
  const from = address === undefined ? {} : { address }
  const challenge = await at.ask('POST', `${AUTH}/factors/${factor}/challenge`, { token, body: {}, ...from })
  return challenge.status === 200
    ? await answer(at, token, factor, { challenge_id: String(challenge.json.id), code }, from)
    : challenge
}

/** Answers a challenge. */
export const answer = (
  at: Target,
  token: string,
  factor: string,
  body: { challenge_id: string; code: string },
  from: { address?: string } = {},
): Promise<Answer> => at.ask('POST', `${AUTH}/factors/${factor}/verify`, { token, body, ...from })
