import { randomBytes, randomUUID } from 'node:crypto'
import { type Answer, type Asked, AUTH, ORIGIN, type Target } from '../target.js'

/** Requests that name somebody, or somebody's account. */
interface Question {
  name: string
  ask(who: { email: string; id: string }, asked: Asked): Promise<Answer>
}

/** As the console asks. */
const OWN_PAGE: Asked = { headers: { origin: ORIGIN } }

/** More than what is free of one account from one network. */
const TRIES = 7

/** Is there an account? Whoever it is about, an answer has to say the same. */
export async function enumerate(at: Target): Promise<string[]> {
  const findings: string[] = []
  const token = (await at.signIn(await at.account())).access
  const viewer = (await at.signIn(await at.operator('viewer'))).access
  const unknown = () => ({ email: at.nobody(), id: randomUUID() })
  const banned = () => at.account({ ban_duration: '24h' })
  const invited = async () => {
    const email = at.nobody()
    const { json } = await at.asService('POST', '/admin/generate_link', { type: 'invite', email })
    return { email, id: String(json.id) }
  }
  for (const { name, ask } of questions(at, { token, viewer })) {
    const said = await series(at, ask, unknown())
    for (const [kind, somebody] of [
      ['an account', await at.account()],
      ['an operator', await at.operator('editor')],
      ['a banned account', await banned()],
      ['an invited account', await invited()],
    ] as const)
      if ((await series(at, ask, somebody)) !== said) findings.push(`${name} tells ${kind}`)
  }
  const used = await at.asService('POST', '/admin/generate_link', { type: 'invite', email: at.nobody() })
  const link = String(used.json.hashed_token)
  await at.use(String(used.json.action_link))
  const verify = (token_hash: string) =>
    at.ask('POST', `${AUTH}/verify`, { body: { type: 'invite', token_hash }, address: at.address() })
  const guessed = randomBytes(link.length).toString('base64url').slice(0, link.length)
  if (comparable(await verify(link), []) !== comparable(await verify(guessed), []))
    findings.push('POST /verify tells a link that was used')
  return findings
}

/** The answers to the same question, as one text: also when it is that somebody tried too often. */
async function series(at: Target, ask: Question['ask'], who: { email: string; id: string }): Promise<string> {
  const address = at.address()
  const answers: string[] = []
  for (let tries = 0; tries < TRIES; tries += 1)
    answers.push(comparable(await ask(who, { address }), [who.email, who.id]))
  return answers.join('\n\n')
}

const comparable = ({ status, headers, text }: Answer, names: string[]): string =>
  names.reduce((all, name) => all.replaceAll(name, '…'), `${status}\n${headers}\n${text}`)

const questions = (at: Target, { token, viewer }: { token: string; viewer: string }): Question[] => {
  const password = 'not the password'
  const wire = (name: string, body: (email: string) => object, more: Asked = {}): Question => ({
    name: `POST ${name}`,
    ask: ({ email }, asked) => at.ask('POST', `${AUTH}${name}`, { ...asked, ...more, body: body(email) }),
  })
  const office = (path: string, more: Asked = {}): Question => ({
    name: `POST ${path}`,
    ask: ({ email }, asked) =>
      at.ask('POST', path, { ...asked, ...more, body: { email, role: 'owner', code: 'guess', password } }),
  })
  return [
    wire('/token?grant_type=password', (email) => ({ email, password })),
    wire('/token?grant_type=password', (email) => ({ email: email.toUpperCase(), password })),
    wire('/recover', (email) => ({ email })),
    wire('/signup', (email) => ({ email, password })),
    wire('/otp', (email) => ({ email })),
    wire('/verify', (email) => ({ type: 'recovery', email, token: '000000' })),
    wire('/verify', (email) => ({ type: 'recovery', email, token_hash: 'x'.repeat(43) })),
    wire('/invite', (email) => ({ email }), { token }),
    wire('/admin/generate_link', (email) => ({ type: 'recovery', email }), { token }),
    wire('/admin/users', (email) => ({ email }), { token }),
    ...[{}, { token }].map(
      (more): Question => ({
        name: 'GET /admin/users/{id}',
        ask: ({ id }, asked) => at.ask('GET', `${AUTH}/admin/users/${id}`, { ...asked, ...more }),
      }),
    ),
    office('/-/office/session/set-up', OWN_PAGE),
    office('/-/office/session/sign-in', OWN_PAGE),
    office('/-/office/session/forgotten', OWN_PAGE),
    office('/-/office/operators/remove'),
    office('/-/office/operators/invite', { token: viewer }),
    office('/-/office/operators/reset', { token: viewer }),
  ]
}
