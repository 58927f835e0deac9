import { App, answerChallenge } from '../app.js'
import { type Answer, AUTH, type Person, type Target, type Tokens } from '../target.js'

/** How long a session that has ended may still be taken for one, in ms, and a moment. */
const REMEMBERED_MS = 11_000

/** Does what somebody had before still hold? */
export async function fixate(at: Target): Promise<string[]> {
  const findings: string[] = []
  for (const [name, end] of Object.entries(ENDS)) {
    const person = await at.operator('editor')
    const old = await at.signIn(person)
    // It is known to be there.
    await at.ask('GET', '/-/office/operators/me', { token: old.access })
    const made = await at.asService('POST', '/admin/generate_link', { type: 'recovery', email: person.email })
    const isLinkOver = await end(at, person, old)
    at.clock.advance(REMEMBERED_MS)
    const tried = {
      'an access token': await at.ask('GET', `${AUTH}/user`, { token: old.access }),
      'an operator’s token': await at.ask('GET', '/-/office/operators/me', { token: old.access }),
      'a refresh token': await refreshed(at, old),
      ...(isLinkOver && {
        'a link': await at.ask('POST', `${AUTH}/verify`, {
          body: { type: 'recovery', token_hash: made.json.hashed_token },
        }),
      }),
    }
    for (const [what, { status }] of Object.entries(tried))
      if (status < 300) findings.push(`${what} lives on after ${name}`)
  }
  return [...findings, ...(await before2(at))]
}

const refreshed = (at: Target, { refresh }: Tokens): Promise<Answer> =>
  at.ask('POST', `${AUTH}/token?grant_type=refresh_token`, { body: { refresh_token: refresh } })

/** What ends all that somebody had; true where it ends links, too. */
const ENDS: Record<string, (at: Target, person: Person, old: Tokens) => Promise<boolean>> = {
  async 'a new password'(at, person) {
    const { access } = await at.signIn(person)
    await at.ask('PUT', `${AUTH}/user`, { token: access, body: { password: 'another password' } })
    return true
  },
  async 'a new password by the service'(at, { id }) {
    await at.asService('PUT', `/admin/users/${id}`, { password: 'another password' })
    return true
  },
  async 'a ban'(at, { id }) {
    await at.asService('PUT', `/admin/users/${id}`, { ban_duration: '1h' })
    return true
  },
  async 'a reset'(at, { email }) {
    await at.office.reset(email)
    return true
  },
  async 'a removal'(at, { email }) {
    await at.office.remove(email)
    return true
  },
  async 'a sign-out'(at, _, { access }) {
    await at.ask('POST', `${AUTH}/logout`, { token: access })
    return false
  },
  async 'a sign-out of the others'(at, person) {
    const { access } = await at.signIn(person)
    await at.ask('POST', `${AUTH}/logout?scope=others`, { token: access })
    return false
  },
  async 'a second factor'(at, person) {
    await App.enrol(at, person)
    return false
  },
}

/** What a session had before its second factor must not be what it is worth afterwards. */
async function before2(at: Target): Promise<string[]> {
  const person = await at.operator('editor')
  const app = await App.enrol(at, person)
  const before = await at.signIn(person)
  const raised = await answerChallenge(at, before.access, app.id, app.shown())
  if (raised.status !== 200) return [`a second factor is refused: ${raised.text}`]
  const token = before.access
  const tried = {
    'makes recovery codes': await at.ask('POST', `${AUTH}/recovery_codes`, { token, body: {} }),
    'changes the password': await at.ask('PUT', `${AUTH}/user`, {
      token,
      body: { password: 'another password' },
    }),
    'changes the address': await at.ask('PUT', `${AUTH}/user`, { token, body: { email: at.nobody() } }),
    'takes the factor away': await at.ask('DELETE', `${AUTH}/factors/${app.id}`, { token }),
    'is refreshed': await refreshed(at, before),
  }
  return Object.entries(tried)
    .filter(([, { status }]) => status < 300)
    .map(([what]) => `a token from before the second factor ${what}`)
}
