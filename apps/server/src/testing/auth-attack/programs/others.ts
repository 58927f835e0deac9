import { randomUUID } from 'node:crypto'
import { App, answer } from '../app.js'
import { type Answer, AUTH, CALL_ID, HIDDEN_NUMBER, type Target } from '../target.js'

/** Does an id of somebody else's open what is somebody else's? An answer must not even tell that there is such a thing. */
export async function reachOthers(at: Target): Promise<string[]> {
  const owner = await at.operator('owner')
  const app = await App.enrol(at, owner)
  const made = await at.ask('POST', `${AUTH}/factors/${app.id}/challenge`, {
    token: app.tokens.access,
    body: {},
  })
  const listed = await at.ask('GET', `${AUTH}/sessions`, { token: app.tokens.access })
  const session = String(Object(Object.values(listed.json)[0]).id)
  const ids = { user: owner.id, factor: app.id, session, challenge: String(made.json.id), code: app.shown() }
  const before = await stateOf(at, app)
  const findings: string[] = []
  for (const who of [await at.operator('viewer'), await at.operator('editor'), await at.account()]) {
    const { access } = await at.signIn(who)
    const own = await App.enrol(at, who)
    const [known, unknown] = [
      await tries(at, access, ids),
      await tries(at, access, {
        ...(Object.fromEntries(Object.keys(ids).map((name) => [name, randomUUID()])) as typeof ids),
        code: '000000',
      }),
    ]
    for (const [name, { status, text }] of Object.entries(known)) {
      if (status < 300 && !name.startsWith('DELETE /sessions')) findings.push(`${name} goes through`)
      const other = unknown[name]
      const told = mask(text, ids)
      if (other?.status !== status || told !== mask(other.text, ids))
        findings.push(`${name} tells what there is`)
    }
    const crossed = await answer(at, own.tokens.access, own.id, {
      challenge_id: ids.challenge,
      code: own.shown(),
    })
    if (crossed.status < 300) findings.push('somebody else’s challenge is taken')
  }
  if ((await stateOf(at, app)) !== before) findings.push('something of somebody else’s was changed')
  return [...findings, ...(await numbers(at))]
}

/** What the victim still has. */
async function stateOf(at: Target, app: App): Promise<string> {
  const { status, json } = await at.ask('GET', `${AUTH}/user`, { token: app.tokens.access })
  return JSON.stringify([status, json.email, json.factors, json.user_metadata])
}

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
const mask = (text: string, ids: Record<string, string>): string =>
  Object.values(ids)
    .reduce((all, id) => all.replaceAll(id, '…'), text)
    .replaceAll(UUID, '…')

type Ids = Record<'user' | 'factor' | 'session' | 'challenge' | 'code', string>

async function tries(at: Target, token: string, ids: Ids): Promise<Record<string, Answer>> {
  const { user, factor, session, challenge, code } = ids
  const requests: readonly [method: string, path: string, body?: object][] = [
    ['POST', `/factors/${factor}/challenge`, {}],
    ['POST', `/factors/${factor}/verify`, { challenge_id: challenge, code }],
    ['DELETE', `/factors/${factor}`],
    ['DELETE', `/sessions/${session}`],
    ['GET', `/admin/users/${user}`],
    ['GET', `/admin/users/${user}/factors`],
    ['DELETE', `/admin/users/${user}/factors/${factor}`],
    ['PUT', `/admin/users/${user}`, { password: 'a password of mine' }],
    ['DELETE', `/admin/users/${user}`],
    ['PUT', `/user?id=${user}`, { id: user, user_id: user, sub: user, email: 42 }],
  ]
  const answers: Record<string, Answer> = {}
  for (const [method, path, body] of requests)
    answers[`${method} ${mask(path, ids)}`] = await at.ask(method, `${AUTH}${path}`, {
      token,
      ...(body && { body }),
    })
  return answers
}

/** A viewer sees no number in full, wherever one is looked for. */
async function numbers(at: Target): Promise<string[]> {
  const { access: token } = await at.signIn(await at.operator('viewer'))
  const findings: string[] = []
  for (const path of [
    '/calls',
    `/call?id=${CALL_ID}`,
    '/calls/status',
    '/calls/export',
    '/calls?limit=500&slug=acme',
    '/visitors',
    '/operators/me',
    '/person/export',
  ]) {
    const { text } = await at.ask('GET', `/-/office${path}`, { token })
    if (text.replace(/[^\d]/g, '').includes(HIDDEN_NUMBER.slice(1)))
      findings.push(`a viewer reads a number at ${path}`)
  }
  const record = await at.ask('GET', `/-/office/call?id=${CALL_ID}`, { token })
  return record.status === 200 ? findings : [...findings, `a viewer cannot read a call: ${record.text}`]
}
