import { expect } from '@playwright/test'
import { start, stop } from './demo-page.js'
import { test } from './fixtures.js'
import { PlainCaller, platformKeyOf } from './plain-caller.js'
import { callsFromNow } from './platform-records.js'
import type { RunningHeyline } from './running-heyline.js'
import { AUDIBLE, audibleMs, quietFor, tapSpeaker } from './speaker.js'
import { spoken } from './spoken.js'
import { storeVisitors } from './visitors.js'
import { levelsOf, waveformOf } from './waveform.js'

const BELLA = 'Good afternoon, this is Bella of the cake counter. Which cake would you like for your party?'
const SAMPLES_PER_MS = 16
const BLOCK_SAMPLES = 341

async function post(heyline: RunningHeyline, path: string, body: object): Promise<Record<string, string>> {
  const answer = await fetch(`${heyline.url}/-/platform${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await platformKeyOf(heyline)}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  })
  expect(answer.ok, await answer.clone().text()).toBe(true)
  return await answer.json()
}

test('a caller in the browser is handed to another assistant, hears all of its greeting, and the record names both', async ({
  page,
  request,
  heyline,
}) => {
  const calls = await callsFromNow(heyline, request)
  await storeVisitors(heyline, [
    { slug: 'handed', name: 'Handed', first_message: 'Hello, one moment please.' },
  ])
  await tapSpeaker(page)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(`${heyline.url}/handed`)
  await start(page).click()
  await expect.poll(() => audibleMs(page)).toBeGreaterThan(500)
  await expect.poll(() => quietFor(page)).toBeGreaterThan(700)
  const before = await audibleMs(page)
  const [call] = await calls()
  await post(heyline, `/call/${call?.id}/control`, {
    type: 'handoff',
    destination: { type: 'assistant', assistant: { name: 'Bella', firstMessage: BELLA } },
  })
  const made = waveformOf(levelsOf(await spoken(BELLA), BLOCK_SAMPLES), AUDIBLE)
  const madeMs = (made.audible * BLOCK_SAMPLES) / SAMPLES_PER_MS
  await expect
    .poll(async () => (await audibleMs(page)) - before, { timeout: 20_000 })
    .toBeGreaterThan(0.7 * madeMs)
  await expect.poll(() => quietFor(page), { timeout: 20_000 }).toBeGreaterThan(700)
  expect((await audibleMs(page)) - before).toBeLessThan(1.15 * madeMs)
  await stop(page).click()
  await expect
    .poll(async () => (await calls())[0]?.messages?.filter(({ role }) => role === 'bot').at(-1)?.message)
    .toBe(BELLA)
})

test('a caller walks through a workflow by what is said, hears each step, and the call ends by itself', async ({
  heyline,
}) => {
  const workflow = {
    name: 'Bakery',
    nodes: [
      {
        type: 'conversation',
        name: 'greeting',
        isStart: true,
        prompt: 'The harbour bakery is open until six.',
      },
      { type: 'conversation', name: 'cakes', prompt: 'A chocolate cake costs twenty dollars.' },
      {
        type: 'tool',
        name: 'bye',
        tool: { type: 'endCall', messages: [{ type: 'request-start', content: 'Thank you, goodbye.' }] },
      },
    ],
    edges: [
      { from: 'greeting', to: 'cakes', condition: { type: 'ai', prompt: 'The caller asks about a cake' } },
      { from: 'cakes', to: 'bye' },
    ],
  }
  const call = await post(heyline, '/call/web', { workflow })
  const caller = await PlainCaller.join(call.webCallUrl ?? '')
  const stopped = () =>
    caller.texts.filter(
      ({ type, role, status }) => type === 'speech-update' && role === 'assistant' && status === 'stopped',
    ).length
  await expect.poll(stopped, { timeout: 15_000 }).toBe(1)
  const greeted = caller.heard.length
  expect(greeted / SAMPLES_PER_MS).toBeGreaterThan(500)
  caller.tell({
    type: 'add-message',
    message: { role: 'user', content: 'How much is a chocolate cake?' },
  })
  expect((await caller.closed).code).toBe(1000)
  const started = caller.texts.filter(({ type }) => type === 'workflow.node.started')
  expect(started).toMatchObject([{ node: { name: 'greeting' } }, { node: { name: 'cakes' } }])
  const heard = waveformOf(levelsOf(caller.heard.slice(greeted), BLOCK_SAMPLES), AUDIBLE)
  const said = [
    ...(await spoken('A chocolate cake costs twenty dollars.')),
    ...(await spoken('Thank you, goodbye.')),
  ]
  const made = waveformOf(levelsOf(Int16Array.from(said), BLOCK_SAMPLES), AUDIBLE)
  expect(heard.audible / made.audible).toBeGreaterThan(0.9)
  expect(heard.audible / made.audible).toBeLessThan(1.1)
})
