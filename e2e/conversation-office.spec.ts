import { expect } from '@playwright/test'
import { test } from './fixtures.js'
import { createWebCall, PlainCaller, platformKeyOf } from './plain-caller.js'
import { levelsOf } from './waveform.js'

/** Samples of 20 ms at 16 kHz. */
const BLOCK_SAMPLES = 320
const SAMPLES_PER_MS = 16

/** How loud the last second was that a caller heard, in blocks of 20 ms. */
const lastSecond = ({ heard }: PlainCaller) =>
  levelsOf(heard.subarray(-1_000 * SAMPLES_PER_MS), BLOCK_SAMPLES)
const told = ({ texts }: PlainCaller, role: string, status: string) =>
  texts.filter((text) => text.type === 'speech-update' && text.role === role && text.status === status).length

test('an office is heard after the words of the assistant, softly', async ({ servers }) => {
  const heyline = await servers.server()
  const { webCallUrl } = await createWebCall(heyline.url, await platformKeyOf(heyline), {
    firstMessage: 'Hello. What is your number?',
    backgroundSound: 'office',
  })
  const caller = await PlainCaller.join(webCallUrl)
  await expect.poll(() => told(caller, 'assistant', 'stopped')).toBe(1)
  const greeted = caller.heard.length
  await expect.poll(() => caller.heard.length - greeted).toBeGreaterThan(1_200 * SAMPLES_PER_MS)
  const levels = lastSecond(caller)
  expect(Math.max(...levels)).toBeGreaterThan(0.0005)
  expect(Math.max(...levels)).toBeLessThan(0.05)

  await caller.leave()
})
