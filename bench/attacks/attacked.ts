import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { OPEN_GATE } from '../../apps/server/src/testing/open-gate.js'
import { Target } from '../../attacks/target.js'
import { limited } from '../report/limit.js'
import { type Figure, ms } from '../report/table.js'
import { type Aim, FLOODS } from './floods.js'
import { HonestVisitor, type Waits } from './honest-visitor.js'

const LIMIT = 2
const ATTACKER = fileURLToPath(new URL('./attacker.ts', import.meta.url))

/** Room for the honest visitors' calls, who are many in a short time. What one address may have in the browser stays as it is by default. */
const SETTINGS = {
  ...OPEN_GATE,
  WEB_CALL_LIMIT_SLUG: '100000/1h',
  WEB_CALL_LIMIT_STARTS: '100000/1h',
  // Their phone calls are answered, and go on for a while.
  CONVERSATIONS_MOST: '1000',
  WEB_CALL_LIMIT_ADDRESS: '12/10m,40/24h',
  WEB_CALL_LIMIT_ADDRESS_CONCURRENT: '3',
  WEB_CALLS: 'direct',
  LIVE_STATUS: 'on',
  // The server's own engines: what they take is taken from the same processors.
  MODEL_URL: '',
  VOICE_URL: '',
}

const WHATS = { page: 'page', webhook: 'webhook', firstWord: 'first word' } as const

/** An honest visitor's waits in quiet and under each attack, from the same machine. */
export async function measureAttacked(): Promise<Figure[]> {
  const target = await Target.start(SETTINGS)
  try {
    const visitor = new HonestVisitor(target)
    await visitor.waits()
    const figures: Figure[] = []
    for (const [place, { what }] of FLOODS.entries()) {
      // Quiet beside each, so that a machine with other work is compared with itself.
      const quiet = await visitor.waits()
      const { sent, waits } = await under(place, target, visitor)
      figures.push(...compared(`${what} (${sent} sent)`, quiet, waits))
    }
    return figures
  } finally {
    await target.stop()
  }
}

function compared(what: string, quiet: Waits, attacked: Waits): Figure[] {
  return Object.entries(WHATS).map(([name, words]) => {
    const key = name as keyof Waits
    return limited({
      what: `${what}: ${words}`,
      value: attacked[key] / quiet[key],
      limit: LIMIT,
      show: (ratio) => `${ratio.toFixed(2)} ×`,
      beside: `${ms(quiet[key])} in quiet, ${ms(attacked[key])} under attack`,
    })
  })
}

/** The visitor's waits while the attacker, another process, sends this flood. */
async function under(place: number, { url, keys, assistantId }: Target, visitor: HonestVisitor) {
  const { publishable, platformPublic } = keys
  const aim: Aim = { url, keys: { publishable, platformPublic }, assistantId }
  const attacker = fork(ATTACKER, [String(place), JSON.stringify(aim)], { execArgv: ['--import', 'tsx'] })
  try {
    await once(attacker, 'message')
    const waits = await visitor.waits()
    attacker.send('stop')
    const [sent] = await once(attacker, 'message')
    return { sent: Number(sent), waits }
  } finally {
    attacker.kill()
  }
}
