import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Installed } from '../installed-for-a-run.js'
import { type Figure, median } from '../report/table.js'
import { type Client, ours, serverSdk, web } from './clients.js'

const ROUNDS = 7
const LANES = 8
const ROUND_MS = 500

interface Task {
  what: string
  /** Throws when it is not what the platform sent. */
  call(client: Client): Promise<void>
}

const ID = '00000000-0000-4000-8000-000000000001'
const BODY = {
  name: 'Front desk',
  firstMessage: 'Hello, this is the front desk. How can I help you today?',
  endCallPhrases: ['goodbye', 'talk to you soon'],
  maxDurationSeconds: 600,
}

const TASKS: readonly Task[] = [
  { what: 'GET one assistant', call: async (client) => mustBeOne(await client.get(ID)) },
  { what: 'POST create', call: async (client) => mustBeOne(await client.create(BODY)) },
  { what: 'GET a list of 100', call: async (client) => mustBeHundred(await client.list(100)) },
]

/** Calls per second of each client at one server: rounds by turns, whose first is another client's each time. */
export async function measureCallsPerSecond(sdk: Installed | undefined): Promise<Figure[]> {
  const server = new Worker(new URL('platform-stand-in.mjs', import.meta.url))
  try {
    const [url]: string[] = await once(server, 'message')
    if (url === undefined) throw new Error('The stand-in told no address')
    const clients = [ours(url), web(url), ...(sdk ? [serverSdk(url, sdk)] : [])]
    const figures: Figure[] = []
    for (const task of TASKS) figures.push(await measure(task, clients))
    return figures
  } finally {
    await server.terminate()
  }
}

async function measure(task: Task, clients: readonly Client[]): Promise<Figure> {
  const rates = new Map<Client, number[]>(clients.map((client) => [client, []]))
  for (const client of clients) await rate(task, client)
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let turn = 0; turn < clients.length; turn += 1) {
      const client = clients[(round + turn) % clients.length]
      if (client) rates.get(client)?.push(await rate(task, client))
    }
  }
  const [first, ...peers] = clients.map(({ name }, index) => ({
    name,
    rounds: [...rates.values()][index] ?? [],
  }))
  const own = first?.rounds ?? []
  const beside = peers.map(({ name, rounds }) => {
    const ratio = median(rounds.map((value, round) => (own[round] ?? Number.NaN) / value))
    return `${name} ${perSecond(median(rounds))}, ours ${ratio.toFixed(2)} ×`
  })
  return {
    what: `${task.what} (median of ${ROUNDS})`,
    value: perSecond(median(own)),
    beside: beside.join('; '),
  }
}

/** Calls per second in one round, some at a time. */
async function rate({ call }: Task, client: Client): Promise<number> {
  const began = performance.now()
  let calls = 0
  const callOn = async () => {
    while (performance.now() - began < ROUND_MS) {
      await call(client)
      calls += 1
    }
  }
  await Promise.all(Array.from({ length: LANES }, callOn))
  return (1000 * calls) / (performance.now() - began)
}

function mustBeOne(answer: unknown) {
  if (typeof answer !== 'object' || answer === null || !('id' in answer) || answer.id !== ID)
    throw new Error(`Not the assistant: ${JSON.stringify(answer)}`)
}

function mustBeHundred(answer: unknown) {
  if (!Array.isArray(answer) || answer.length !== 100) throw new Error('Not the hundred assistants')
}

const perSecond = (value: number): string => `${Math.round(value).toLocaleString('en')} /s`
