import type { Db } from '@heyline/database'
import { DATABASES } from '@heyline/database/testing'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LOG_RULES } from './log.js'

const phone = '+14155552671'
const prompt = 'You are the "Acme" assistant.\n    at heart a secret'

/** What the log says of an error, as text and read. */
function logged(err: unknown) {
  let text = ''
  const write = (line: string) => {
    text += line
  }
  pino({ ...LOG_RULES, level: 'info' }, { write }).error({ err }, 'it failed')
  return { text, err: JSON.parse(text).err }
}

const quotesNothing = (text: string) => {
  for (const value of [phone, phone.slice(1), 'Acme', 'secret']) expect(text).not.toContain(value)
}

describe.each(DATABASES)('the log of a statement that $name refuses', ({ open }) => {
  let db: Db
  beforeAll(async () => {
    db = await open()
  })
  afterAll(() => db?.close())

  const failure = (sql: string, ...parameters: unknown[]) =>
    db.query(sql, parameters).then(
      () => expect.unreachable(),
      (error: unknown) => error,
    )
  const store = (state: string, attempts: unknown = 0) =>
    failure(
      `insert into call_desk.call_requests (phone, slug, state, body_hash, attempts, transcript)
       values ($1, $2, $3, '', $4, $2)`,
      phone,
      prompt,
      state,
      attempts,
    )

  it('names the rule that a row breaks, and holds nothing of the row', async () => {
    const { text, err } = logged(await store('none'))
    quotesNothing(text)
    expect(err).toMatchObject({
      type: 'DatabaseError',
      code: '23514',
      constraint: 'call_requests_state_check',
      message: expect.stringMatching(/^new row for relation "call_requests" violates check constraint/),
      stack: expect.stringMatching(/^DatabaseError: new row .*\n {4}at /),
    })
  })

  it('holds no key that is taken', async () => {
    const add = "insert into call_desk.do_not_call (phone, source) values ($1, 'command')"
    await db.query(add, [phone])
    const { text, err } = logged(await failure(add, phone))
    quotesNothing(text)
    expect(err).toMatchObject({ code: '23505', constraint: 'do_not_call_pkey' })
  })

  it('cuts a message short before what it quotes', async () => {
    const { text, err } = logged(await store('queued', prompt))
    quotesNothing(text)
    expect(err).toMatchObject({ code: '22P02', message: 'invalid input syntax for type integer…' })
  })

  it('leaves out what a function says', async () => {
    const raised = db.exec(`do $$ begin raise exception 'not to ${phone}' using hint = '${phone}'; end $$`)
    const { text, err } = logged(await raised.catch((error: unknown) => error))
    quotesNothing(text)
    expect(err).toMatchObject({ code: 'P0001', message: '…' })
  })

  it('is the same where the error is the cause of another', async () => {
    const cause = await store('queued', prompt)
    const { text, err } = logged(new Error('The call is not stored', { cause }))
    quotesNothing(text)
    expect(err).toMatchObject({ message: 'The call is not stored', cause: { code: '22P02' } })
    quotesNothing(logged(new AggregateError([cause], 'None is stored')).text)
  })
})

it('keeps what our own errors say and where they come from, and nothing that hangs on them', () => {
  const error = Object.assign(new RangeError('The frame is too long'), {
    code: 'too_long',
    body: { phone, prompt },
  })
  const { text, err } = logged(error)
  quotesNothing(text)
  expect(err).toEqual({
    type: 'RangeError',
    code: 'too_long',
    message: 'The frame is too long',
    stack: error.stack,
  })
})

it('holds nothing of a text that could not be read', () => {
  const unreadable = () => JSON.parse(`${phone} ${prompt}`)
  let thrown: unknown
  try {
    unreadable()
  } catch (error) {
    thrown = error
  }
  const { text, err } = logged(thrown)
  quotesNothing(text)
  expect(err).toMatchObject({ type: 'SyntaxError' })
  quotesNothing(logged(prompt).text)
})
