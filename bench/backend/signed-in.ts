import { limited } from '../report/limit.js'
import { type Figure, median, ms } from '../report/table.js'
import { type Database, FilledHeyline, PUBLISHABLE_KEY, SECRET_KEY } from './filled-heyline.js'
import { type Question, run } from './load.js'
import { exactRead, signedInUser } from './questions.js'
import { CONNECTIONS, VISITORS } from './traffic.js'

const WARM_UP_MS = 3_000
const ROUND_MS = 3_000
const ROUNDS = 5
/** Of the visitor reads that the same server answers a second. */
const SHARE_LIMIT = 0.8

const SIGN_INS = 20
const SIGN_IN_LIMIT_MS = 150

const OPERATOR = { email: 'operator@example.com', password: 'of the bench alone' }

/** An operator's requests: how many of `GET /user` a second beside visitor reads, by turns, and what a sign-in costs. */
export async function measureSignedIn(database: Database): Promise<Figure[]> {
  const server = await FilledHeyline.start(database, VISITORS)
  try {
    await post(server, 'admin/users', SECRET_KEY, { ...OPERATOR, email_confirm: true })
    const token = await signIn(server)
    return [await besideReads(server, () => signedInUser(server, token)), await signInCost(server)]
  } finally {
    await server.stop()
  }
}

async function besideReads(server: FilledHeyline, ask: () => Question): Promise<Figure> {
  const load = async (question: () => Question, forMs: number) =>
    (await run(server.url, { connections: CONNECTIONS, ms: forMs, question })).perSecond
  const asks = [() => exactRead(server), ask] as const
  for (const question of asks) await load(question, WARM_UP_MS)
  const reads: number[] = []
  const users: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    reads.push(await load(asks[0], ROUND_MS))
    users.push(await load(asks[1], ROUND_MS))
  }
  return limited({
    what: 'GET /user, beside a visitor read',
    value: median(users) / median(reads),
    atLeast: true,
    limit: SHARE_LIMIT,
    show: (share) => `${share.toFixed(2)}×`,
    beside: `${median(users).toFixed(0)}/s beside ${median(reads).toFixed(0)}/s`,
  })
}

/** Processor time of the server's process, all its threads; a Postgres beside it is not in it. */
async function signInCost(server: FilledHeyline): Promise<Figure> {
  await signIn(server)
  const costs: number[] = []
  for (let time = 0; time < SIGN_INS; time += 1) {
    const before = server.processorMs
    await signIn(server)
    costs.push(server.processorMs - before)
  }
  // The system counts in steps of 10 ms, so a mean says more than a median.
  const mean = costs.reduce((sum, cost) => sum + cost, 0) / costs.length
  return limited({ what: 'a sign-in, processor time', value: mean, limit: SIGN_IN_LIMIT_MS, show: ms })
}

async function signIn(server: FilledHeyline): Promise<string> {
  const { access_token } = await post(server, 'token?grant_type=password', PUBLISHABLE_KEY, OPERATOR)
  return String(access_token)
}

async function post(
  { url }: FilledHeyline,
  path: string,
  key: string,
  body: unknown,
): Promise<Record<string, unknown>> {
  const response = await fetch(`${url}/-/backend/auth/v1/${path}`, {
    method: 'POST',
    headers: { apikey: key, authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`a wrong answer to ${path}: ${response.status} ${await response.text()}`)
  return await response.json()
}
