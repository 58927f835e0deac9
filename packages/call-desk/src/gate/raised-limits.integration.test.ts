import type { Db } from '@heyline/database'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDeskDb } from '../testing/desk.js'
import { DEFAULT_GATE, type GateSettings, SIMULATED_GATE } from './gate-settings.js'
import { auditRaisedLimits, raisedLimits } from './raised-limits.js'

const raisedBy = (changes: Partial<GateSettings>) =>
  raisedLimits({ ...DEFAULT_GATE, ...changes }).map(({ setting }) => setting)
const ever = Number.POSITIVE_INFINITY

describe('raisedLimits', () => {
  it('names none of the defaults', () => {
    expect(raisedBy({})).toEqual([])
  })

  it.each<[string, Partial<GateSettings>]>([
    ['countries.GB', { countries: new Map([...DEFAULT_GATE.countries, ['GB', 1]]) }],
    ['blockedPrefixes', { blockedPrefixes: DEFAULT_GATE.blockedPrefixes.slice(1) }],
    ['numberLimits', { numberLimits: [] }],
    ['numberLimits', { numberLimits: DEFAULT_GATE.numberLimits.slice(1) }],
    ['slugLimits', { slugLimits: [{ most: 6, windowMs: ever }] }],
    [
      'addressLimits',
      {
        addressLimits: [
          { most: 2, windowMs: 3_599_999 },
          { most: 3, windowMs: 86_400_000 },
        ],
      },
    ],
    ['networkLimits', { networkLimits: [{ most: 7, windowMs: 3_600_000 }] }],
    [
      'startLimits',
      {
        startLimits: [
          { most: 6, windowMs: 60_000 },
          { most: 50, windowMs: 86_400_000 },
        ],
      },
    ],
    ['slugConcurrent', { slugConcurrent: undefined }],
    ['concurrent', { concurrent: 6 }],
    ['dayBudget', { dayBudget: 10_000_001 }],
    ['monthBudget', { monthBudget: undefined }],
    ['maxSeconds', { maxSeconds: 181 }],
    ['addressNumbers', { addressNumbers: undefined }],
    ['addressNumbers', { addressNumbers: { most: 3, windowMs: 3_600_000, blockMs: 1 } }],
    ['hours', { hours: undefined }],
    ['hours', { hours: { from: 9, to: 21 } }],
    ['breaker.failures', { breaker: { ...DEFAULT_GATE.breaker, failures: undefined } }],
    ['breaker.longest', { breaker: { ...DEFAULT_GATE.breaker, longest: { most: 4, windowMs: 600_000 } } }],
    ['breaker.spendFactor', { breaker: { ...DEFAULT_GATE.breaker, spendFactor: 4 } }],
  ])('names %s: %j', (setting, changes) => {
    expect(raisedBy(changes)).toEqual([setting])
  })

  it('names nothing that is stricter', () => {
    const stricter = {
      countries: new Map([['US', 1]]),
      blockedPrefixes: [...DEFAULT_GATE.blockedPrefixes, '+1415'],
      numberLimits: [{ most: 1, windowMs: ever }],
      slugLimits: [{ most: 1, windowMs: ever }],
      dayBudget: 1,
      maxSeconds: 60,
      hours: { from: 10, to: 19 },
    }
    expect(raisedBy(stricter)).toEqual([])
  })

  it('names nothing where calls are simulated', () => {
    expect(raisedLimits({ ...SIMULATED_GATE, concurrent: undefined })).toEqual([])
  })
})

describe('auditRaisedLimits', () => {
  let db: Db
  beforeAll(async () => {
    db = await openDeskDb()
  })
  afterAll(() => db.close())

  it('writes each to the audit and names them in one warning', async () => {
    const lines: string[] = []
    const logger = pino({}, { write: (line: string) => lines.push(line) })
    await auditRaisedLimits(db, [], logger)
    await auditRaisedLimits(
      db,
      raisedLimits({ ...DEFAULT_GATE, slugLimits: [{ most: 9, windowMs: ever }], concurrent: undefined }),
      logger,
    )
    const { rows } = await db.query('select action, detail from call_desk.audit order by id')
    expect(rows).toEqual([
      {
        action: 'limit_raised',
        detail: {
          setting: 'slugLimits',
          value: [{ most: 9, windowMs: 'ever' }],
          normal: [
            { most: 3, windowMs: 86_400_000 },
            { most: 5, windowMs: 'ever' },
          ],
        },
      },
      { action: 'limit_raised', detail: { setting: 'concurrent', value: 'none', normal: 5 } },
    ])
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 40, settings: ['slugLimits', 'concurrent'] },
    ])
  })
})
