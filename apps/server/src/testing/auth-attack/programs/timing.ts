import { AUTH, type Person, type Target } from '../target.js'

const SAMPLES = 7
/** How many times the work of one kind of account may be that of another. A hash is ten times all the rest. */
const MOST = 2.5

/** Does a sign-in cost more for those who have an account? What is measured is the work of this process, which no other one disturbs. */
export async function time(at: Target): Promise<string[]> {
  const kinds: [name: string, somebody: () => Promise<Pick<Person, 'email'>>][] = [
    ['an account', () => at.account()],
    ['nobody', async () => ({ email: at.nobody() })],
    ['a banned account', () => at.account({ ban_duration: '24h' })],
    [
      'an invited account',
      async () => {
        const email = at.nobody()
        await at.asService('POST', '/admin/generate_link', { type: 'invite', email })
        return { email }
      },
    ],
  ]
  const costs = new Map(kinds.map(([name]) => [name, [] as number[]]))
  // The first one pays for what is made once.
  await costOf(at, at.nobody())
  for (let round = 0; round < SAMPLES; round += 1)
    for (const [name, somebody] of kinds) costs.get(name)?.push(await costOf(at, (await somebody()).email))
  const medians = [...costs].map(([name, of]) => [name, median(of)] as const)
  const least = Math.min(...medians.map(([, cost]) => cost))
  return medians
    .filter(([, cost]) => cost > least * MOST)
    .map(([name, cost]) => `a sign-in as ${name} costs ${(cost / least).toFixed(1)} times the least`)
}

/** The work of one sign-in with a wrong password, in µs of processor time. */
async function costOf(at: Target, email: string): Promise<number> {
  const asked = { body: { email, password: 'not the password' }, address: at.address() }
  const before = process.cpuUsage()
  await at.ask('POST', `${AUTH}/token?grant_type=password`, asked)
  const { user, system } = process.cpuUsage(before)
  return user + system
}

function median(costs: number[]): number {
  return costs.toSorted((a, b) => a - b)[Math.floor(costs.length / 2)] ?? Number.NaN
}
