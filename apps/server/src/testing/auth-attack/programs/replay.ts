import { App, answer, answerChallenge, STEP_MS } from '../app.js'
import { type Answer, AUTH, type Target } from '../target.js'

/** How long two browsers may use one refresh token, in ms, and a moment. */
const REUSE_MS = 11_000

/** Is what was good once good again? */
export async function replay(at: Target): Promise<string[]> {
  const found: string[] = []
  for (const tried of [appCodes, recoveryCodes, links, refreshTokens]) found.push(...(await tried(at)))
  return found
}

const findingsOf = (tried: Record<string, Answer>): string[] =>
  Object.entries(tried)
    .filter(([, { status }]) => status < 300)
    .map(([name]) => `${name} is good again`)

/** Somebody else has the password, and saw the code. */
async function appCodes(at: Target): Promise<string[]> {
  const person = await at.operator('editor')
  const app = await App.enrol(at, person)
  const token = (await at.signIn(person)).access
  const path = `${AUTH}/factors/${app.id}/challenge`
  const challenge = String((await at.ask('POST', path, { token, body: {} })).json.id)
  const code = app.shown()
  const first = await answer(at, token, app.id, { challenge_id: challenge, code })
  if (first.status !== 200) return [`a code is not good once: ${first.text}`]
  const other = (await at.signIn(person)).access
  const same = await answerChallenge(at, other, app.id, code)
  at.clock.advance(STEP_MS)
  const late = await answerChallenge(at, other, app.id, code)
  const next = await answer(at, token, app.id, { challenge_id: challenge, code: app.shown() })
  return findingsOf({
    'the code of an app': same,
    'the code of an app, a step later,': late,
    'a challenge': next,
  })
}

async function recoveryCodes(at: Target): Promise<string[]> {
  const person = await at.operator('editor')
  const app = await App.enrol(at, person)
  const make = async (token: string) =>
    (await at.ask('POST', `${AUTH}/recovery_codes`, { token, body: {} })).json.codes as string[]
  const [old = ''] = await make(app.tokens.access)
  const [code = ''] = await make(app.tokens.access)
  const give = async (given: string) => answerChallenge(at, (await at.signIn(person)).access, app.id, given)
  const ended = await give(old)
  const first = await give(code)
  if (first.status !== 200) return [`a recovery code is not good once: ${first.text}`]
  return findingsOf({
    'a recovery code': await give(code),
    'a recovery code in capitals': await give(code.toUpperCase().replaceAll('-', ' ')),
    'a recovery code from before the last ones': ended,
  })
}

async function links(at: Target): Promise<string[]> {
  const { email } = await at.account()
  const make = async () =>
    String(
      (await at.asService('POST', '/admin/generate_link', { type: 'recovery', email })).json.hashed_token,
    )
  const use = (token_hash: string, type = 'recovery') =>
    at.ask('POST', `${AUTH}/verify`, { body: { token_hash, type } })
  const [older, newer] = [await make(), await make()]
  const replaced = await use(older)
  const first = await use(newer)
  if (first.status !== 200) return [`a link is not good once: ${first.text}`]
  const old = await make()
  at.clock.advance(86_400_000 + 1)
  return findingsOf({
    'a link': await use(newer),
    'a link, as one of another kind,': await use(newer, 'email'),
    'a link that was replaced': replaced,
    'a link of the day before': await use(old),
  })
}

/** Of two who use a refresh token, one has stolen it: nobody can tell which. */
async function refreshTokens(at: Target): Promise<string[]> {
  const { access, refresh } = await at.signIn(await at.operator('editor'))
  const use = (refresh_token: string) =>
    at.ask('POST', `${AUTH}/token?grant_type=refresh_token`, { body: { refresh_token } })
  const first = await use(refresh)
  if (first.status !== 200) return [`a refresh token is not good once: ${first.text}`]
  at.clock.advance(REUSE_MS)
  return findingsOf({
    'a refresh token': await use(refresh),
    'a session whose refresh token was used twice': await use(String(first.json.refresh_token)),
    'the access token of such a session': await at.ask('GET', `${AUTH}/user`, { token: access }),
  })
}
