import { ManualClock } from '@heyline/kit/manual-clock'
import { expect, it } from 'vitest'
import type { ModelMessage } from '../engines/engine.js'
import { commonWeight } from '../engines/read-weight.js'
import { NO_DELAYS, startDelayed } from '../testing/delayed-session.js'
import { settled, silence, vowel } from '../testing/session-bench.js'
import { ModelBudget } from './model-budget.js'

const TEN_MINUTES = 600
const prompt = (characters: number) => 'x'.repeat(characters)
const request = (characters: number): ModelMessage[] => [{ role: 'system', content: prompt(characters) }]
const budgetOf = (promptCharacters: number) => {
  const clock = new ManualClock()
  return {
    clock,
    budget: new ModelBudget(clock, { promptWeight: promptCharacters, maxDurationSeconds: TEN_MINUTES }),
  }
}
const signal = new AbortController().signal
const charactersOf = (asked: readonly { messages: readonly ModelMessage[] }[]) =>
  asked.flatMap(({ messages }) => messages).reduce((sum, { content }) => sum + content.length, 0)

it('holds no guess back in a talk of ten minutes, at an ordinary prompt or the longest of a page', () => {
  for (const characters of [2_000, 6_000, 20_000]) {
    const { clock, budget } = budgetOf(characters)
    // Every six seconds a turn with a pause in it: some 20 characters are said each second.
    for (let second = 0; second < TEN_MINUTES; second += 6) {
      const messages = request(characters + 20 * second)
      expect(budget.allowsGuess(messages)).toBe(true)
      if (second % 12 === 0) expect(budget.allowsGuess(messages)).toBe(true)
      clock.advance(6_000)
    }
  }
})

it('lets a call of ten minutes with a prompt of 20,000 characters have 7 million read, however often it asks', async () => {
  const { clock, budget } = budgetOf(20_000)
  let read = 0
  const longest = request(45_000)
  for (let ms = 0; ms < TEN_MINUTES * 1_000; ms += 100) {
    if (budget.allowsGuess(longest)) read += 45_000
    else if (ms % 200 === 0) {
      const call = new AbortController()
      const paid = budget.pay(longest, call.signal).then(
        () => {
          read += 45_000
        },
        () => undefined,
      )
      call.abort()
      await paid
    }
    clock.advance(100)
  }
  expect(read).toBeGreaterThan(6_000_000)
  expect(read).toBeLessThanOrEqual(7_020_000)
})

it('keeps half for replies that are wanted', async () => {
  const { budget } = budgetOf(20_000)
  let guesses = 0
  while (budget.allowsGuess(request(45_000))) guesses += 1
  expect(guesses).toBe(3)
  for (let reply = 0; reply < 3; reply += 1) await budget.pay(request(45_000), signal)
})

it('is one for the whole call: an assistant that reads more widens it, and gives back nothing that was spent', async () => {
  const { clock, budget } = budgetOf(20_000)
  for (let reply = 0; reply < 6; reply += 1) await budget.pay(request(45_000), signal)
  for (let handoff = 0; handoff < 20; handoff += 1) {
    budget.follow({ promptWeight: 65_000 })
    budget.follow({ promptWeight: 1_000 })
  }
  // Six requests of 45,000 more at once than before: three of the longest, which count twice as much.
  for (let reply = 0; reply < 3; reply += 1) await budget.pay(request(90_000), signal)
  const call = new AbortController()
  const waiting = budget.pay(request(90_000), call.signal)
  clock.advance(3_990)
  await settled()
  call.abort(new Error('not paid yet'))
  await expect(waiting).rejects.toThrow('not paid yet')
  clock.advance(10)
  await budget.pay(request(90_000), signal)
})

it('has a prompt of rare letters read less often, as it has more tokens', async () => {
  const letters = 'ꀀ'.repeat(20_000)
  const { clock, budget } = budgetOf(commonWeight(letters))
  let read = 0
  for (let ms = 0; ms < TEN_MINUTES * 1_000; ms += 100) {
    if (budget.allowsGuess([{ role: 'system', content: letters }])) read += letters.length
    clock.advance(100)
  }
  // English: 7 million characters, a quarter of a token each. These have three.
  expect(3 * read).toBeLessThan(2.5 * (7_020_000 / 4))
})

it('holds no guess back in a talk in Japanese, at a prompt of 20,000 characters', () => {
  const letters = '日'.repeat(20_000)
  const { clock, budget } = budgetOf(commonWeight(letters))
  for (let second = 0; second < TEN_MINUTES; second += 6) {
    const said = '日'.repeat(4 * second)
    expect(budget.allowsGuess([{ role: 'system', content: letters + said }])).toBe(true)
    clock.advance(6_000)
  }
})

it('reckons with what the next assistant looks up', async () => {
  const { budget } = budgetOf(20_000)
  for (let reply = 0; reply < 6; reply += 1) await budget.pay(request(45_000), signal)
  budget.follow({ promptWeight: 20_000, materialCharacters: 45_000 })
  for (let reply = 0; reply < 3; reply += 1) await budget.pay(request(45_000), signal)
  expect(budget.allowsGuess(request(1_000))).toBe(false)
})

it('has a reply wait until it can be paid for, and no longer than the call', async () => {
  const { clock, budget } = budgetOf(20_000)
  for (let reply = 0; reply < 6; reply += 1) await budget.pay(request(45_000), signal)
  let isPaid = false
  void budget.pay(request(45_000), signal).then(() => {
    isPaid = true
  })
  clock.advance(3_990)
  await settled()
  expect(isPaid).toBe(false)
  clock.advance(10)
  await settled()
  expect(isPaid).toBe(true)
  const call = new AbortController()
  const waiting = budget.pay(request(45_000), call.signal)
  call.abort(new Error('the call is over'))
  await expect(waiting).rejects.toThrow('the call is over')
  expect(clock.pending).toBe(0)
})

it.each([
  ['pauses in a turn', 200],
  ['short turns', 450],
])('somebody who clicks their tongue, with %s, does not drive the model', async (_, pauseMs) => {
  const systemPrompt = prompt(20_000)
  const { engines, live, clock } = startDelayed(
    { heard: [{ text: 'Hm.' }], replies: [['Yes.']] },
    { systemPrompt, maxDurationSeconds: 60 },
    NO_DELAYS,
  )
  const longest = 20_000 + 10_000 + 25 * 60
  const began = clock.now()
  while (clock.now() - began < 50_000) {
    await live(vowel(100))
    await live(silence(pauseMs))
  }
  expect(engines.asked.length).toBeGreaterThan(5)
  expect(charactersOf(engines.asked)).toBeLessThanOrEqual(longest * (6 + (clock.now() - began) / 4_000))
})

it('a turn of a minute with a pause every second is not sent to the transcriber again and again', async () => {
  const { engines, live } = startDelayed({ heard: [{ text: 'And' }] }, {}, NO_DELAYS)
  for (let second = 0; second < 55; second += 1) {
    await live(vowel(800))
    await live(silence(200))
  }
  const seconds = engines.utterances.reduce((sum, { length }) => sum + length / 16_000, 0)
  expect(seconds).toBeGreaterThan(120)
  expect(seconds).toBeLessThanOrEqual(120 + 3 * 55)
})
