import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { OPEN_GATE } from '../../apps/server/src/testing/open-gate.js'
import { DIRECT } from '../../attacks/attack.js'
import type { Known } from '../../attacks/attacked-server.js'
import type { Flood } from '../../attacks/flood.js'
import { FLOODS } from '../../attacks/floods.js'
import { Target } from '../../attacks/target.js'
import { limited } from '../report/limit.js'
import { type Figure, ms } from '../report/table.js'
import { HonestVisitor, type Waits } from './honest-visitor.js'

const LIMIT = 2
/** What an address may begin, it begins at once. Who is measured comes after that, while the attack goes on. */
const BEGINNING_MS = 4_000
const ATTACKER = fileURLToPath(new URL('./attacker.ts', import.meta.url))

/** Room for the honest visitors' calls, who are many in a short time. What one address, network or block of numbers may have stays as it is by default. */
const SETTINGS = {
  ...OPEN_GATE,
  CALL_LIMIT_NUMBER: '',
  CALL_LIMIT_ADDRESS: '',
  CALL_LIMIT_ADDRESS_NUMBERS: '',
  CALL_LIMIT_NETWORK: '',
  CALL_LIMIT_PREFIX: '',
  WEB_CALL_LIMIT_SLUG: '100000/1h',
  WEB_CALL_LIMIT_STARTS: '100000/1h',
  // Beside the rooms of the attackers.
  WEB_CALL_LIMIT_CONCURRENT: '100',
  // Their phone calls are answered, and go on for a while.
  CONVERSATIONS_MOST: '1000',
  ...DIRECT,
  LIVE_STATUS: 'on',
  // The server's own engines: what they take is taken from the same processors.
  MODEL_URL: '',
  VOICE_URL: '',
}

const WHATS: readonly { name: Exclude<keyof Waits, 'refused'>; words: string }[] = [
  { name: 'page', words: 'page' },
  { name: 'webhook', words: 'webhook' },
  { name: 'firstWord', words: 'first word' },
]

/** An honest visitor's waits in quiet and under each attack, from the same machine. */
export async function measureAttacked(): Promise<Figure[]> {
  const floods = Object.entries(FLOODS)
  const usual = floods.filter(([, { settings }]) => !settings)
  const own = floods.filter(([, { settings }]) => settings)
  const figures = await measureFloods(usual)
  for (const flood of own) figures.push(...(await measureFloods([flood], flood[1].settings)))
  return figures
}

/** One after the other, against a server of these settings. */
async function measureFloods(
  floods: readonly [name: string, flood: Flood][],
  settings: Record<string, string> = {},
): Promise<Figure[]> {
  const target = await Target.start({ ...SETTINGS, ...settings })
  try {
    const visitor = new HonestVisitor(target, settings.HUMAN_CHECK === 'altcha')
    await visitor.waits()
    const figures: Figure[] = []
    for (const [name, flood] of floods) {
      await flood.prepare?.(target)
      // Quiet beside each, so that a machine with other work is compared with itself.
      const quiet = await visitor.waits()
      const { sent, waits } = await under(name, target, visitor)
      figures.push(...compared(`${flood.what} (${sent} sent)`, quiet, waits))
    }
    return figures
  } finally {
    await target.stop()
  }
}

function compared(what: string, quiet: Waits, attacked: Waits): Figure[] {
  const ratios = WHATS.map(({ name, words }) =>
    limited({
      what: `${what}: ${words}`,
      value: attacked[name] / quiet[name],
      limit: LIMIT,
      show: (ratio) => `${ratio.toFixed(2)} ×`,
      beside: `${ms(quiet[name])} in quiet, ${ms(attacked[name])} under attack`,
    }),
  )
  const refused = [...quiet.refused, ...attacked.refused]
  if (refused.length === 0) return ratios
  const beside = [...new Set(refused)].join('; ')
  const value = refused.length
  return [...ratios, limited({ what: `${what}: refused`, value, limit: 0, show: String, beside })]
}

/** The visitor's waits while the attacker, another process, sends this flood. */
async function under(name: string, { url, keys, assistantId }: Target, visitor: HonestVisitor) {
  const known: Known = { url, keys, assistantId }
  const attacker = fork(ATTACKER, [name, JSON.stringify(known)], { execArgv: ['--import', 'tsx'] })
  try {
    await told(attacker)
    await delay(BEGINNING_MS)
    const waits = await visitor.waits()
    attacker.send('stop')
    return { sent: Number(await told(attacker)), waits }
  } finally {
    attacker.kill()
  }
}

/** The attacker's next word. Rejects where he ends without one: his exit code says that he could not begin. */
async function told(attacker: ChildProcess): Promise<unknown> {
  const [word] = await Promise.race([
    once(attacker, 'message'),
    once(attacker, 'exit').then(([code]) => {
      throw new Error(`The attacker ended with ${code} before he was done`)
    }),
  ])
  return word
}
