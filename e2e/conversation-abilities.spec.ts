import { createServer, type Server } from 'node:http'
import { expect } from '@playwright/test'
import { listen, shut, textOf } from '../packages/voice-platform/src/testing/local-server.js'
import {
  type OpenAiStandIn,
  startOpenAiStandIn,
} from '../packages/voice-platform/src/testing/openai-stand-in.js'
import {
  type StreamingStandIn,
  startStreamingStandIn,
} from '../packages/voice-platform/src/testing/streaming-stand-in.js'
import { flagsWithMicrophone, SPEECH } from './chromium-flags.js'
import { start } from './demo-page.js'
import { test } from './fixtures.js'
import { callsOf } from './platform-records.js'
import { RunningHeyline } from './running-heyline.js'
import { audibleMs, tapSpeaker } from './speaker.js'
import { storeVisitors } from './visitors.js'

const SLUG = 'able-bakery'
const ANNOUNCEMENT = 'We record this.'
const QUESTION = 'What does the cake cost?'
const ANSWER = 'The cake costs nine dollars. Goodbye.'
const SUMMARY = 'The caller asked what the cake costs.'
/** Of what the assistant's tools ask. */
const PATHS = ['/stock', '/prices']

let heyline: RunningHeyline
let model: OpenAiStandIn
let broken: StreamingStandIn
let listener: StreamingStandIn
let tools: Server
/** What the tools were asked: path and body. */
const asked: { path: string; body: string }[] = []

test.use({ ownBrowser: { args: flagsWithMicrophone(SPEECH) } })
test.beforeAll(async () => {
  ;[model, broken, listener] = await Promise.all([
    startOpenAiStandIn(),
    startStreamingStandIn({ fault: 'refuse' }),
    startStreamingStandIn({ transcript: QUESTION }),
  ])
  tools = createServer(async (request, response) => {
    const body = await textOf(request)
    asked.push({ path: request.url ?? '', body })
    const toolCallId = body === '' ? undefined : JSON.parse(body).message?.toolCallList?.[0]?.id
    const answer = toolCallId ? { results: [{ toolCallId, result: 'two cakes' }] } : { cake: 'nine dollars' }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  await listen(tools)
  heyline = await RunningHeyline.start({
    MODEL_URL: model.url,
    TRANSCRIBER_URL: broken.url,
    TRANSCRIBER_KIND: 'deepgram',
    TRANSCRIBER_KEY: 'a-key',
    TRANSCRIBER_FALLBACK_URL: listener.url,
    TRANSCRIBER_FALLBACK_KIND: 'deepgram',
    TRANSCRIBER_FALLBACK_KEY: 'a-key',
    TOOLS_ALLOW_PRIVATE: 'on',
    RECORDING: 'on',
    RECORDING_ANNOUNCEMENT: ANNOUNCEMENT,
  })
})
test.afterAll(async () => {
  await heyline?.stop()
  await Promise.all([model.close(), broken.close(), listener.close(), shut(tools)])
})

/** What the model does: both tools at once, then the answer and the end of the call; after the call, its summary. */
function act(body: Buffer) {
  const { messages, tools: offered } = JSON.parse(body.toString())
  const isTold = messages.at(-1)?.role === 'tool'
  const both = [
    { name: 'stock', arguments: { of: 'cake' } },
    { name: 'prices', arguments: {} },
  ]
  model.script.toolCalls = isTold ? [{ name: 'endCall', arguments: {} }] : both
  if (!offered) model.script.reply = [SUMMARY]
  else model.script.reply = isTold ? [ANSWER] : []
}

test('a call whose transcriber is refused is heard by the second one, uses its knowledge and tools, ends itself, and is recorded and summed up', async ({
  page,
  request,
}) => {
  model.script.intercept = (path) => {
    const body = model.requests.at(-1)?.body
    if (path === '/v1/chat/completions' && body) act(body)
    return false
  }
  const { secret, platformPrivate } = await heyline.keys()
  const address = tools.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const url = (path: string) => `http://127.0.0.1:${port}${path}`
  const settings = {
    firstMessageInterruptionsEnabled: false,
    analysisPlan: { minMessagesThreshold: 0, summaryPlan: { enabled: true } },
    model: {
      ...{ provider: 'openai', model: 'gpt-4o-mini' },
      messages: [{ role: 'system', content: 'You answer for a bakery.' }],
      tools: [
        {
          type: 'function',
          function: { name: 'stock', parameters: { type: 'object', properties: { of: { type: 'string' } } } },
          server: { url: url('/stock') },
        },
        { type: 'apiRequest', name: 'prices', method: 'GET', url: url('/prices') },
        { type: 'endCall' },
      ],
    },
  }
  const changed = await request.patch(`${heyline.url}/-/platform/assistant/${heyline.assistantId}`, {
    headers: { authorization: `Bearer ${platformPrivate}` },
    data: settings,
  })
  expect(changed.status()).toBe(200)
  await storeVisitors(heyline, [{ slug: SLUG, name: 'Able Bakery', first_message: 'Hello.' }])
  const content = Buffer.from('The cake is made with almonds and lemon.').toString('base64')
  const known = await request.post(`${heyline.url}/-/office/visitor/knowledge?slug=${SLUG}`, {
    headers: { authorization: `Bearer ${secret}` },
    data: { name: 'cakes.txt', content },
  })
  expect(known.status()).toBe(201)

  await tapSpeaker(page)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(`${heyline.url}/${SLUG}`)
  await start(page).click()
  // The announcement and the greeting, before the caller has said anything.
  await expect.poll(() => audibleMs(page)).toBeGreaterThan(800)
  const record = async () => (await callsOf(heyline, request))[0]
  await expect
    .poll(async () => (await record())?.endedReason, { timeout: 30_000 })
    .toBe('assistant-ended-call')
  // The answer is heard as well.
  expect(await audibleMs(page)).toBeGreaterThan(2_500)

  expect(asked.map(({ path }) => path).sort()).toEqual([...PATHS].sort())
  const said = (await record())?.messages ?? []
  const spoken = said.filter(({ role }) => role === 'bot').map(({ message }) => message)
  expect(spoken[0]).toBe(ANNOUNCEMENT)
  expect(spoken.join(' ')).toContain('The cake costs nine dollars.')
  expect(said.find(({ role }) => role === 'user')?.message).toBe(QUESTION)
  expect(listener.connections.length).toBeGreaterThan(0)
  // What the model was given: passages of the visitor's file, and what both tools said.
  const given = model.requests.map(({ body }) => body.toString()).join('\n')
  for (const words of ['almonds and lemon', 'two cakes', 'nine dollars']) expect(given).toContain(words)

  await expect
    .poll(async () => {
      const { analysis, artifact } = (await record()) ?? {}
      return [analysis?.summary, typeof artifact?.stereoRecordingUrl]
    })
    .toEqual([SUMMARY, 'string'])
})
