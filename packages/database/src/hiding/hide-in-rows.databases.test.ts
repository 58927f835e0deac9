import { writtenNumber } from '@heyline/kit/written-number'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Db } from '../db/db.js'
import { DATABASES } from '../testing/databases.js'
import { type HidingCursor, type HidingPlace, hideInRows } from './hide-in-rows.js'

const NUMBER = writtenNumber({ callingCode: '1', national: '4155552671' })
const HIDDEN = '(removed number)'
const PLACE: HidingPlace = {
  table: 'told',
  where: 'r.is_over',
  order: [
    ['at', 'timestamptz'],
    ['id', 'integer'],
  ],
  texts: ['said'],
  json: ['lines'],
  documents: [{ column: 'body', words: ['said', 'heard'] }],
  emptied: ['went_to'],
}

describe.each(DATABASES)('a number in the rows of a table, on $name', ({ open }) => {
  let db: Db
  beforeAll(async () => {
    db = await open()
    await db.exec(`create table told (id integer primary key generated always as identity, at timestamptz default now(), said text, lines jsonb,
      body text, went_to text, is_over boolean default true)`)
  })
  afterAll(() => db.close())
  beforeEach(() => db.exec('truncate told restart identity'))

  async function hide(size = 100): Promise<{ hidden: number; parts: number }> {
    let hidden = 0
    let parts = 0
    for (let after: HidingCursor | undefined; ; ) {
      const part = await hideInRows(db, PLACE, NUMBER, { after, size })
      hidden += part.hidden
      parts++
      after = part.after
      if (!after) return { hidden, parts }
    }
  }
  const stored = async () => (await db.query('select said, lines, body, went_to from told order by id')).rows

  it.each([
    '+14155552671',
    '(415) 555-2671',
    '415.555.2671',
    '415\u00a0555\u00a02671',
    '0014155552671',
    '1 415 555 2671',
    '[415]:555_2671',
    '415\t555\r\n2671',
    '415"\\"555\u200b\u0007\u200b2671',
    '415\\"\n\\#5552671',
    '٤١٥ ٥٥٥ ٢٦٧١',
    '４１５－５５５－２６７１',
    '𝟒𝟏𝟓😀𝟓𝟓𝟓😀😀😀😀😀𝟐𝟔𝟕𝟏',
    '④①⑤⑤⑤⑤②⑥⑦①',
  ])('is found by the database as in JavaScript: %s', async (spelling) => {
    await db.query('insert into told (said, lines) values ($1, $2)', [
      `Call ${spelling}`,
      [`Call\n${spelling}`],
    ])
    expect(await hide()).toMatchObject({ hidden: 1 })
    expect(await stored()).toMatchObject([{ said: `Call ${HIDDEN}`, lines: [`Call\n${HIDDEN}`] }])
  })

  it.each(['+141555526712', '+41 4155552671', '+4155552671', '415 and 555 2671'])(
    'is not found in %s',
    async (other) => {
      await db.query('insert into told (said) values ($1)', [other])
      expect(await hide()).toMatchObject({ hidden: 0 })
      expect(await stored()).toMatchObject([{ said: other }])
    },
  )

  it('is taken out of the words of a document, and out of nothing else that it has', async () => {
    const told = {
      id: '4155552671',
      at: '4155-55-26T71',
      said: 'It is\n415 555 2671',
      heard: null,
      cost: 4155552671,
    }
    await db.query('insert into told (body) values ($1), ($2)', [
      JSON.stringify(told),
      JSON.stringify({ ...told, said: 'No.' }),
    ])
    expect(await hide()).toMatchObject({ hidden: 1 })
    expect(await stored()).toMatchObject([
      { body: JSON.stringify({ ...told, said: `It is\n${HIDDEN}` }) },
      { body: JSON.stringify({ ...told, said: 'No.' }) },
    ])
  })

  it('is taken out of texts, JSON and documents, and what it alone is becomes null', async () => {
    const told = { '+14155552671': [4155552671, 1.4155552671, { said: '415-555-2671' }] }
    const left = { [HIDDEN]: [HIDDEN, 1.4155552671, { said: HIDDEN }] }
    await db.query('insert into told (lines, body, went_to) values ($1, $2::text, $3), ($1, $4::text, $5)', [
      told,
      JSON.stringify(['No object', told]),
      '+14155552671',
      '{"broken": 4155552671, "x',
      '+14155552672',
    ])
    expect(await hide()).toMatchObject({ hidden: 2 })
    expect(await stored()).toEqual([
      { said: null, lines: left, body: NUMBER.text(JSON.stringify(['No object', told])), went_to: null },
      { said: null, lines: left, body: `{"broken": ${HIDDEN}, "x`, went_to: '+14155552672' },
    ])
  })

  it('is looked for in parts, in all rows that may be changed', async () => {
    await db.exec(`insert into told (said, is_over, at) select '415 555 2671', n % 2 = 0, now() + n % 3 * interval '1 second'
      from generate_series(1, 250) n`)
    expect(await hide(100)).toEqual({ hidden: 125, parts: 3 })
    const { rows } = await db.query<{ told: number }>(
      `select count(*)::int as told from told where said = '${HIDDEN}' and is_over`,
    )
    expect(rows).toEqual([{ told: 125 }])
    expect(await hide(1000)).toEqual({ hidden: 0, parts: 1 })
  })

  it('is hidden in what somebody else changes meanwhile, and undoes no change', async () => {
    await db.exec(`insert into told (said, body) values ('415 555 2671', 'before')`)
    let isChanged = false
    const disturbed = Object.assign(Object.create(db), {
      async query(...asked: Parameters<Db['query']>) {
        if (asked[0].startsWith('update') && !isChanged) {
          isChanged = true
          await db.exec(`update told set body = 'after: 415 555 2671'`)
        }
        return await db.query(...asked)
      },
    })
    await hideInRows(disturbed, PLACE, NUMBER, { after: undefined, size: 10 })
    expect(await stored()).toMatchObject([{ said: HIDDEN, body: `after: ${HIDDEN}` }])
  })
})
