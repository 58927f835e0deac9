import { beforeEach, describe, expect, it } from 'vitest'
import type { CallDesk } from '../index.js'
import type { Attack, Attacker } from '../testing/attacks/attack.js'
import { edges } from '../testing/attacks/edges.js'
import { forgeries } from '../testing/attacks/forgeries.js'
import { numbers } from '../testing/attacks/numbers.js'
import { rotations } from '../testing/attacks/rotations.js'
import { hookRequest } from '../testing/desk.js'
import { addressOf, age, ask, clearDesk, endCalls } from '../testing/gate-desk.js'
import { useOffice } from '../testing/office.js'
import { DEFAULT_GATE, type GateSettings } from './gate-settings.js'

const office = useOffice()
beforeEach(() => clearDesk(office.db))

function attackerOf(desk: CallDesk): Attacker {
  const { db } = office
  const dialled = async () => {
    const open = `select from call_desk.call_requests
      where state = 'queued' or (state = 'dialling' and platform_call_id is null)`
    await expect.poll(async () => (await db.query(open)).rows, { interval: 2, timeout: 10_000 }).toEqual([])
    return [...office.platform.calls.keys()]
  }
  return {
    db,
    ask: (asked) => ask(desk, asked),
    send: async (request) => (await desk.webhook(request)).status,
    hook: async (message, secret) => (await desk.hook(hookRequest(message, secret))).status,
    dialled,
    async hangUp() {
      await dialled()
      await endCalls(db)
    },
    wait: (time) => age(db, time),
  }
}

/** What may be spent while the attack goes on, in millionths of a US dollar. */
function ceilingOf({ dayBudget = 0, monthBudget = 0 }: GateSettings, { days = 1 }: Attack): number {
  return Math.min(days * dayBudget, monthBudget)
}

const attacks: Attack[] = [...rotations, ...edges, ...numbers, ...forgeries]

describe('an attack by', () => {
  it.each(attacks)('$name gives $calls calls', async (attack) => {
    // Hours would make the outcome hang on the time of day.
    const gate = { ...DEFAULT_GATE, hours: undefined, ...attack.gate }
    const findVisitor = async (slug: string) => ({ slug })
    const desk = await office.startedDesk({ gate, addressOf, findVisitor, ...attack.options })
    const attacker = attackerOf(desk)
    await attack.run(attacker)
    await attacker.dialled()
    const worstCase = Math.ceil(gate.maxSeconds / 60) * 250_000
    expect(office.platform.dialled).toHaveLength(attack.calls)
    expect(attack.calls * worstCase).toBeLessThanOrEqual(ceilingOf(gate, attack))
  })
})
