import { App, answer, answerChallenge } from '../app.js'
import { type Answer, AUTH, ORIGIN, type Person, type Target } from '../target.js'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** As many guesses show that nothing slows them down. */
const MANY = 200
/** Then so many get through in a day. */
const UNBOUNDED = 1e9
/** How likely a day of guesses may be right. */
const LIKELY = 1 / 1000

interface Code {
  name: string
  /** How likely one guess is right. */
  chance: number
  guess(): Promise<Answer>
}

/** How likely is a day of guessing to find a code? Whoever guesses has the password, and comes from as many networks as it likes. */
export async function guessCodes(at: Target): Promise<string[]> {
  const findings: string[] = []
  for (const { name, chance, guess } of [
    await appCodes(at),
    await appCodes(at, () => at.address()),
    await recoveryCodes(at),
    await phoneCodes(at),
    ...(await longCodes(at)),
  ]) {
    const guesses = await guessesOfADay(at, guess)
    if (guesses * chance > LIKELY) findings.push(`${guesses} guesses at ${name} get through in a day`)
  }
  return findings
}

/** How many guesses were looked at in a day, which passes while they are told to wait. */
async function guessesOfADay(at: Target, guess: Code['guess']): Promise<number> {
  const end = at.clock.now() + DAY_MS
  let guesses = 0
  while (at.clock.now() < end) {
    const { status, waitMs, text } = await guess()
    if (status < 300) throw new Error(`A guess was right: ${text}`)
    if (status === 429) at.clock.advance(waitMs)
    else guesses += 1
    if (guesses === MANY) return UNBOUNDED
  }
  return guesses
}

/** Signs in again as often as a token ends, by turns from two browsers: nothing is counted by session. */
function sessions(at: Target, person: Person): () => Promise<string> {
  let turn = 0
  const living: { token: string; until: number }[] = []
  return async () => {
    turn += 1
    const place = turn % 2
    const known = living[place]
    if (known && known.until > at.clock.now()) return known.token
    const { access } = await at.signIn(person)
    living[place] = { token: access, until: at.clock.now() + HOUR_MS }
    return access
  }
}

/** From where the owner has the app, or from elsewhere. */
async function appCodes(at: Target, addressOf: () => string | undefined = () => undefined): Promise<Code> {
  const person = await at.operator('editor')
  const app = await App.enrol(at, person)
  const session = sessions(at, person)
  return {
    name: 'an authenticator app',
    chance: 3e-6,
    guess: async () => await answerChallenge(at, await session(), app.id, app.wrong(), addressOf()),
  }
}

async function recoveryCodes(at: Target): Promise<Code> {
  const person = await at.operator('editor')
  const app = await App.enrol(at, person)
  const made = await at.ask('POST', `${AUTH}/recovery_codes`, { token: app.tokens.access, body: {} })
  const codes = (made.json.codes as string[]).map((code) => code.replaceAll('-', ''))
  const session = sessions(at, person)
  return {
    name: 'a recovery code',
    // An alphabet of 32 letters.
    chance: codes.length / 32 ** (codes[0]?.length ?? 0),
    guess: async () => await answerChallenge(at, await session(), app.id, '0123-4567-89ab-cdef'),
  }
}

async function phoneCodes(at: Target): Promise<Code> {
  const person = await at.operator('editor')
  const { access } = await at.signIn(person)
  const body = { factor_type: 'phone', phone: '+12025550199' }
  const factor = String((await at.ask('POST', `${AUTH}/factors`, { token: access, body })).json.id)
  await answerTexted(at, access, factor, (digits) => digits)
  const session = sessions(at, person)
  let open: { id: string; token: string } | undefined
  return {
    name: 'a code that a phone was sent',
    chance: 1e-6,
    async guess() {
      const token = await session()
      const challenge = await at.ask('POST', `${AUTH}/factors/${factor}/challenge`, { token, body: {} })
      if (challenge.status === 200) open = { id: String(challenge.json.id), token }
      if (!open) return challenge
      const guessed = await answer(at, token, factor, { challenge_id: open.id, code: wrongDigits(at) })
      // A challenge that is over takes no guess: the next one has to be waited for.
      return guessed.json.error_code === 'mfa_challenge_expired' ? challenge : guessed
    },
  }
}

async function answerTexted(
  at: Target,
  token: string,
  factor: string,
  code: (digits: string) => string,
): Promise<Answer> {
  const path = `${AUTH}/factors/${factor}/challenge`
  const challenge = await at.ask('POST', path, { token, body: {} })
  return await answer(at, token, factor, { challenge_id: String(challenge.json.id), code: code(texted(at)) })
}

const texted = (at: Target): string => /^\d{6}/.exec(at.texts.at(-1)?.body ?? '')?.[0] ?? ''

const wrongDigits = (at: Target): string => (texted(at) === '000000' ? '111111' : '000000')

/** Codes of 64 letters, in links: nothing has to slow down who guesses them. */
async function longCodes(at: Target): Promise<Code[]> {
  const { link } = await at.office.invite({ email: at.nobody(), role: 'viewer' })
  const code = new URLSearchParams(new URL(link).hash.slice(1)).get('token_hash') ?? ''
  const chance = 64 ** -code.length
  const guessed = 'x'.repeat(code.length)
  return [
    {
      name: 'the code of a link',
      chance,
      guess: () =>
        at.ask('POST', `${AUTH}/verify`, {
          body: { type: 'invite', token_hash: guessed },
          address: at.address(),
        }),
    },
    {
      name: 'the code of the setup link',
      chance,
      guess: () =>
        at.ask('POST', '/-/office/session/set-up', {
          body: { code: guessed, email: at.nobody(), password: 'a password of mine' },
          address: at.address(),
          headers: { origin: ORIGIN },
        }),
    },
  ]
}
