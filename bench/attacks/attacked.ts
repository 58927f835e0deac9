import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { OPEN_GATE } from '../../apps/server/src/testing/open-gate.js'
import { DIRECT } from '../../attacks/attack.js'
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
  ...DIRECT,
  LIVE_STATUS: 'on',
  // The server's own engines: what they take is taken from the same processors.
  MODEL_URL: '',
  VOICE_URL: '',
}

const WHATS: readonly { name: keyof Waits; words: string }[] = [
  { name: 'page', words: 'page' },
  { name: 'webhook', words: 'webhook' },
  { name: 'firstWord', words: 'first word' },
]

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
  return WHATS.map(({ name, words }) =>
    limited({
      what: `${what}: ${words}`,
      value: attacked[name] / quiet[name],
      limit: LIMIT,
      show: (ratio) => `${ratio.toFixed(2)} ×`,
      beside: `${ms(quiet[name])} in quiet, ${ms(attacked[name])} under attack`,
    }),
  )
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
