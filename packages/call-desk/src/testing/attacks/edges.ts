import { type Attack, block, stranger, times } from './attack.js'

/** Requests at the edges of windows, and many at once. */
export const edges: Attack[] = [
  {
    name: 'one number every twelve hours, for a month',
    days: 31,
    async run({ ask, hangUp, wait }) {
      for (const place of times(63)) {
        await ask({ ...stranger(place), phone: block(1) })
        await hangUp()
        await wait('12 hours')
      }
    },
    // Five of the first thirty days; then the first three of them are older.
    calls: 8,
  },
  {
    name: 'the money of two days around the edge between them',
    days: 31,
    // Four calls a day, six a month.
    gate: { dayBudget: 3_000_000, monthBudget: 4_500_000 },
    async run({ ask, hangUp, wait }) {
      for (const [round, pause] of [
        '23 hours 59 minutes',
        '2 minutes',
        '29 days 23 hours 57 minutes',
        '2 minutes',
      ].entries()) {
        for (const place of times(5)) {
          await ask(stranger(round * 5 + place))
          await hangUp()
        }
        await wait(pause)
      }
    },
    calls: 6,
  },
  {
    name: 'ten minutes twice around their edge',
    gate: { startLimits: [{ most: 5, windowMs: 600_000 }] },
    async run({ ask, hangUp, wait }) {
      for (const [round, pause] of ['9 minutes', '30 seconds', '1 minute', '0 seconds'].entries()) {
        for (const place of times(4)) {
          await ask(stranger(round * 4 + place))
          await hangUp()
        }
        await wait(pause)
      }
    },
    // Four, the fifth, none; then the first four are older than ten minutes.
    calls: 9,
  },
  {
    name: 'twenty at once for one number',
    async run({ ask, dialled }) {
      await Promise.all(times(20).map((place) => ask({ ...stranger(place), phone: block(1) })))
      await dialled()
    },
    calls: 1,
  },
  {
    name: 'twenty strangers at once',
    async run({ ask, dialled }) {
      await Promise.all(times(20).map((place) => ask(stranger(place))))
      await dialled()
    },
    calls: 5,
  },
  {
    name: 'twenty strangers at once for money that suffices for two',
    gate: { dayBudget: 2_249_999 },
    async run({ ask, dialled }) {
      await Promise.all(times(20).map((place) => ask(stranger(place))))
      await dialled()
    },
    calls: 2,
  },
  {
    name: 'the middle of the night',
    gate: { hours: { from: 0, to: 0 } },
    async run({ ask }) {
      for (const place of times(3)) await ask(stranger(place))
    },
    calls: 0,
  },
]
