import { ManualClock } from '@heyline/kit/manual-clock'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { MailNotTaken } from './mail-not-taken.js'
import { MailQueue } from './mail-queue.js'

const settled = () => new Promise((resolve) => setImmediate(resolve))

function queue() {
  const lines: { kind: string; leftOut?: number }[] = []
  const logger = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const clock = new ManualClock()
  return { lines, clock, mails: new MailQueue(logger, clock) }
}

it('writes twenty lines a minute about mails that were not sent, however many strangers ask for', async () => {
  const { lines, clock, mails } = queue()
  for (let mail = 0; mail < 90; mail++)
    void mails.send(async () => {
      throw new Error('no mail server')
    })
  await mails.close()
  expect(lines.map(({ kind, leftOut }) => [kind, leftOut])).toEqual([
    ...Array(20).fill(['mail', undefined]),
    ['mail', 70],
  ])
  expect(clock.pending).toBe(0)
})

it('counts by themselves those for which the line is too long', async () => {
  const { lines, mails } = queue()
  let open = () => {}
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  for (let mail = 0; mail < 200; mail++) void mails.send(() => gate)
  open()
  await mails.close()
  expect(lines.map(({ kind, leftOut }) => [kind, leftOut])).toEqual([
    ...Array(20).fill(['mail left out', undefined]),
    ['mail left out', 79],
  ])
})

it('stops without what a mail server does not take within ten seconds', async () => {
  const { lines, clock, mails } = queue()
  const begun: number[] = []
  for (let mail = 0; mail < 3; mail++)
    void mails.send((signal) => {
      begun.push(mail)
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    })
  await settled()
  const closed = mails.close()
  clock.advance(10_000)
  await closed
  expect(begun).toEqual([0])
  expect(lines.map(({ kind }) => kind)).toEqual(['mail', 'mail', 'mail'])
  expect(clock.pending).toBe(0)
})

it('tells what was certainly not sent', async () => {
  const { clock, mails } = queue()
  const failing = (error: Error) => mails.send(() => Promise.reject(error))
  expect(await mails.send(async () => {})).toBe(true)
  expect(await failing(new Error('no answer in time'))).toBe(true)
  expect(await failing(new MailNotTaken('no post today'))).toBe(false)
  const sent = mails.send(
    (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  )
  const notBegun = mails.send(async () => {})
  await settled()
  const closed = mails.close()
  clock.advance(10_000)
  await closed
  expect([await sent, await notBegun]).toEqual([true, false])
})
