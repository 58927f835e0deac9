import { describe, expect, it } from 'vitest'
import type { GateFacts } from './gate-facts.js'
import { DEFAULT_GATE, type GateSettings } from './gate-settings.js'
import { type Findings, isFlood, judge } from './judge.js'
import { REFUSALS, type Refusal } from './refusal.js'

const nothing = { day: 0, dayOfOthers: 0, month: 0, monthOfOthers: 0 }
const calm: GateFacts = {
  now: new Date('2026-01-15T20:00Z'),
  paused: false,
  breakerOpen: false,
  doNotCall: false,
  unknownPending: false,
  refusals: 0,
  networkRefusals: 0,
  heldRefusals: 0,
  networkHeldRefusals: 0,
  failedChecks: 0,
  counts: {
    numberLimits: [0, 0, 0, 0],
    slugLimits: [0, 0],
    addressLimits: [0, 0],
    networkLimits: [0],
    prefixLimits: [0, 0],
    countryLimits: [0],
    startLimits: [0, 0],
  },
  networkCounts: { countryLimits: [0], startLimits: [0, 0] },
  manyNumbers: false,
  networkSpend: nothing,
  slugInFlight: 0,
  inFlight: 0,
  networkInFlight: 0,
}
const good: Findings = {
  checkFailed: false,
  busy: undefined,
  numberRefusal: undefined,
  zones: ['America/Los_Angeles'],
  worstCase: 750_000,
}

interface Trouble {
  facts?: Partial<GateFacts>
  findings?: Partial<Findings>
}
const counted = (counts: GateFacts['counts']): Trouble => ({
  facts: { counts: { ...calm.counts, ...counts } },
})
const spent = (networkSpend: Partial<GateFacts['networkSpend']>): Trouble => ({
  facts: { networkSpend: { ...nothing, ...networkSpend } },
})
const number = (numberRefusal: Refusal): Trouble => ({ findings: { numberRefusal } })

/** What brings each refusal about. The ledger brings `budget_exhausted`, after all these. */
const troubles: [Refusal, Trouble][] = [
  ['paused', { facts: { paused: true } }],
  ['breaker_open', { facts: { breakerOpen: true } }],
  ['human_check_failed', { findings: { checkFailed: true } }],
  ['dnc', { facts: { doNotCall: true } }],
  ['country_not_allowed', number('country_not_allowed')],
  ['premium_blocked', number('premium_blocked')],
  ['type_not_allowed', number('type_not_allowed')],
  ['prefix_blocked', number('prefix_blocked')],
  ['quiet_hours', { findings: { zones: [] } }],
  ['unknown_pending', { facts: { unknownPending: true } }],
  ['limit_address', counted({ addressLimits: [0, 3] })],
  ['limit_address', { facts: { manyNumbers: true } }],
  ['limit_address', { facts: { heldRefusals: 100 } }],
  ['limit_network', counted({ networkLimits: [6] })],
  ['limit_network', { facts: { networkHeldRefusals: 300 } }],
  ['in_flight', { findings: { busy: 'in_flight' } }],
  ['repeated', { findings: { busy: 'repeated' } }],
  // A second press on one page costs nothing, and is told the same as the first.
  ['limit_network', spent({ day: 4_250_001, month: 4_250_001 })],
  ['limit_network', spent({ day: 1_750_001, dayOfOthers: 5_000_000 })],
  ['limit_network', spent({ month: 49_250_001 })],
  ['limit_network', spent({ month: 9_250_001, monthOfOthers: 80_000_000 })],
  ['limit_number', counted({ numberLimits: [0, 0, 0, 5] })],
  ['limit_slug', counted({ slugLimits: [3, 0] })],
  ['limit_slug', { facts: { slugInFlight: 1 } }],
  ['limit_prefix', counted({ prefixLimits: [3, 3] })],
  ['limit_country', counted({ countryLimits: [20] })],
  ['limit_starts', counted({ startLimits: [5, 5] })],
  ['limit_concurrent', { facts: { inFlight: 5 } }],
]

const decide = ({ facts, findings }: Trouble, settings: GateSettings = DEFAULT_GATE) =>
  judge({ ...calm, ...facts }, { ...good, ...findings }, settings)

describe('judge', () => {
  it('lets pass what nothing speaks against', () => {
    expect(decide({})).toBeUndefined()
  })

  it.each(troubles)('refuses with %s: %j', (refusal, trouble) => {
    expect(decide(trouble)).toBe(refusal)
  })

  it('gives of two reasons the one that comes first', () => {
    for (const [later, [, trouble]] of troubles.entries()) {
      for (const [refusal, { facts, findings }] of troubles.slice(0, later)) {
        const both = { facts: { ...trouble.facts, ...facts }, findings: { ...trouble.findings, ...findings } }
        expect(decide(both)).toBe(refusal)
      }
    }
    const order = [...new Set(troubles.map(([refusal]) => refusal))]
    expect([...order, 'budget_exhausted', 'ended']).toEqual(REFUSALS)
  })

  it('looks at the check, the list, the pause and the unknown alone where calls are simulated', () => {
    const passed = troubles
      .filter(([, trouble]) => decide(trouble, { ...DEFAULT_GATE, mode: 'simulated' }) === undefined)
      .map(([refusal]) => refusal)
    const kept = ['paused', 'human_check_failed', 'dnc', 'unknown_pending', 'in_flight', 'repeated']
    expect(passed).toEqual(troubles.map(([refusal]) => refusal).filter((refusal) => !kept.includes(refusal)))
  })

  it('is not told by refusals that cost nothing', () => {
    expect(decide({ facts: { refusals: 100, networkRefusals: 300, failedChecks: 300 } })).toBeUndefined()
  })

  it('lets a network have half of what others left, and one call in any case', () => {
    expect(decide(spent({ day: 1_750_000, dayOfOthers: 5_000_000 }))).toBeUndefined()
    expect(decide(spent({ dayOfOthers: 9_900_000, monthOfOthers: 99_900_000 }))).toBeUndefined()
  })

  it('refuses where a count is missing', () => {
    expect(decide({ facts: { counts: {} } })).toBe('limit_address')
  })
})

describe('a refusal', () => {
  it.each<[Refusal, Partial<GateFacts>, boolean]>([
    ['human_check_failed', { failedChecks: 300 }, true],
    ['human_check_failed', { failedChecks: 299, refusals: 99, networkRefusals: 299 }, false],
    ['dnc', { failedChecks: 300 }, false],
    ['dnc', { refusals: 100 }, true],
    ['budget_exhausted', { networkRefusals: 300 }, true],
    ['in_flight', { refusals: 100, networkRefusals: 300, failedChecks: 300 }, false],
    ['limit_address', { heldRefusals: 100 }, true],
    ['limit_network', { networkHeldRefusals: 300 }, true],
  ])('%s after %j is one of a flood: %s', (refusal, facts, flood) => {
    expect(isFlood({ ...calm, ...facts }, refusal)).toBe(flood)
  })
})
