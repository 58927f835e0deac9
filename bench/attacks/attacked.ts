import { setTimeout as delay } from 'node:timers/promises'
import { OPEN_GATE } from '../../apps/server/src/testing/open-gate.js'
import { Target } from '../../attacks/target.js'
import { limited } from '../report/limit.js'
import { type Figure, ms } from '../report/table.js'
import { FLOODS, type Flood } from './floods.js'
import { HonestVisitor, type Waits } from './honest-visitor.js'

/** Five hundred in four seconds: what the first attack sent. */
const PER_SECOND = 125
/** Beyond this, the attacker waits for his answers. */
const MOST_AT_ONCE = 40
const LIMIT = 2

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
    for (const flood of FLOODS) {
      // Quiet beside each, so that a machine with other work is compared with itself.
      const quiet = await visitor.waits()
      const { sent, waits } = await under(flood, target, visitor)
      figures.push(...compared(`${flood.what} (${sent} sent)`, quiet, waits))
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

async function under(flood: Flood, target: Target, visitor: HonestVisitor) {
  let isOver = false
  let [sent, underWay] = [0, 0]
  const attack = async () => {
    const began = performance.now()
    while (!isOver) {
      const due = ((performance.now() - began) / 1000) * PER_SECOND
      for (; sent < due && underWay < MOST_AT_ONCE; sent += 1) {
        underWay += 1
        void flood.send(target, sent).finally(() => {
          underWay -= 1
        })
      }
      await delay(5)
    }
    while (underWay > 0) await delay(20)
  }
  const attacking = attack()
  try {
    const waits = await visitor.waits()
    return { sent, waits }
  } finally {
    isOver = true
    await attacking
  }
}
