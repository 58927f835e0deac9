import { expect } from '@playwright/test'
import { test } from './fixtures.js'
import { createWebCall, PlainCaller, platformKeyOf } from './plain-caller.js'
import { callsOf } from './platform-records.js'
import type { RunningHeyline } from './running-heyline.js'
import { AUDIBLE } from './speaker.js'
import { spoken } from './spoken.js'
import { levelsOf, waveformOf } from './waveform.js'

const GREETING = 'Hello, this is the harbour bakery. We are open until six today. How may I help you?'
const LONG_GREETING = Array.from(
  { length: 12 },
  (_, day) => `On day ${day + 1} we are open from nine to five.`,
)
const SAMPLES_PER_MS = 16
const BLOCK_SAMPLES = 320

let heyline: RunningHeyline
let key: string
test.beforeAll(async ({ servers }) => {
  heyline = await servers.server()
  key = await platformKeyOf(heyline)
})

const call = async (firstMessage: string) => {
  const { id, webCallUrl } = await createWebCall(heyline.url, key, {
    firstMessage,
    firstMessageInterruptionsEnabled: true,
  })
  return { id, caller: await PlainCaller.join(webCallUrl) }
}
const told = ({ texts }: PlainCaller, type: string, role?: string, status?: string) =>
  texts.filter((text) => text.type === type && text.role === role && text.status === status).length
const heardMs = ({ heard }: PlainCaller) => heard.length / SAMPLES_PER_MS

test('a client of the plain transport hears the greeting as it was made, is answered, and hangs up', async ({
  request,
}) => {
  const made = waveformOf(levelsOf(await spoken(GREETING), BLOCK_SAMPLES), AUDIBLE)
  const { id, caller } = await call(GREETING)
  await expect.poll(() => told(caller, 'speech-update', 'assistant', 'stopped')).toBe(1)
  const greeting = caller.heard
  const heard = waveformOf(levelsOf(greeting, BLOCK_SAMPLES), AUDIBLE)
  expect(heard.audible / made.audible).toBeGreaterThan(0.95)
  expect(heard.audible / made.audible).toBeLessThan(1.05)
  expect(heard.level / made.level).toBeGreaterThan(0.95)
  expect(heard.level / made.level).toBeLessThan(1.05)
  expect(greeting.filter((sample) => Math.abs(sample) >= 32_767)).toHaveLength(0)

  caller.say(await spoken('When are you open on Saturday?'))
  await expect.poll(() => heardMs(caller)).toBeGreaterThan(greeting.length / SAMPLES_PER_MS + 500)
  caller.tell({ type: 'hangup' })
  expect((await caller.closed).code).toBe(1000)
  await expect
    .poll(async () => {
      const record = (await callsOf(heyline, request)).find((one) => one.id === id)
      const roles = record?.messages?.map(({ role }) => role).filter((role) => role !== 'system')
      return [record?.endedReason, roles?.slice(0, 2)]
    })
    .toEqual(['customer-ended-call', ['bot', 'user']])
})

test('a client of the plain transport interrupts: nothing more is sent until the caller is answered', async () => {
  const { caller } = await call(LONG_GREETING.join(' '))
  await expect.poll(() => heardMs(caller)).toBeGreaterThan(1_500)
  caller.say(await spoken('Excuse me, when are you open on Saturday?'))
  await expect.poll(() => told(caller, 'user-interrupted')).toBe(1)
  await expect.poll(() => told(caller, 'speech-update', 'assistant', 'started')).toBe(2)
  const interrupted = caller.texts.find(({ type }) => type === 'user-interrupted')?.at ?? 0
  const answered =
    caller.texts.filter((text) => text.type === 'speech-update' && text.role === 'assistant').at(-1)?.at ?? 0
  expect(caller.frames.filter(({ at }) => at > interrupted && at < answered)).toHaveLength(0)
  expect(caller.frames.filter(({ at }) => at < interrupted).length).toBeLessThan(400)
  await caller.leave()
})
