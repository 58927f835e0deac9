import { describe, expect, it } from 'vitest'
import { issueTexts } from '../rest/parse-request.js'
import { assistantOverrides, inlineAssistant, storedAssistant } from './assistant-schema.js'

const schemas = { inlineAssistant, assistantOverrides, storedAssistant }
const webhook = (authenticationPlan?: object) => ({
  credentials: [
    { provider: 'openai', apiKey: 'k' },
    { provider: 'webhook', authenticationPlan },
  ],
})
const PLAN = 'credentials.1.authenticationPlan'
const UNSERVED = `${PLAN}.type must be hmac or bearer: other plans are not served`
const USERINFO = 'server.url must not name a user or a password: use headers, secret or a webhook credential'

const MODEL_USERINFO = 'model.url must not name a user or a password: use headers'
const modelAt = (url: string) => ({ model: { provider: 'custom-llm', model: 'own', url } })

describe.each(Object.entries(schemas))('how %s’s messages are sent', (_, schema) => {
  it.each<object>([
    webhook({ type: 'hmac', secretKey: 'k', algorithm: 'sha512' }),
    webhook({ type: 'bearer', token: 't' }),
    { credentials: [] },
    { server: { url: 'https://hooks.example/@who?a=b:c@d' } },
  ])('may be %j, which is kept as it comes', (settings) => {
    expect(schema.parse(settings)).toEqual(settings)
  })

  it.each<[object, string]>([
    [webhook({ type: 'oauth2', url: 'https://hooks.example/', clientId: 'c', clientSecret: 's' }), UNSERVED],
    [webhook({ type: 'basic' }), UNSERVED],
    [webhook(), UNSERVED.replace('.type', '')],
    [
      webhook({ type: 'hmac', secretKey: 'k', algorithm: 'SHA256' }),
      `${PLAN}.algorithm must be one of the following values: sha256, sha512, sha1`,
    ],
    [{ credentials: 'webhook' }, 'credentials must be an array'],
    [{ server: { url: 'https://u:p@hooks.example/' } }, USERINFO],
    [{ server: { url: 'https://u@hooks.example/' } }, USERINFO],
  ])('cannot be %j', (settings, text) => {
    expect(issueTexts(schema.safeParse(settings).error?.issues ?? [])).toEqual([text])
  })
})

describe.each(Object.entries(schemas))('the model that %s asks', (_, schema) => {
  it.each(['https://llm.example/v1?a=b:c@d', 'http://127.0.0.1:8000/v1', '/v1', '{{llm}}/v1', ''])(
    'may be at %j, which is kept as it comes',
    (url) => {
      expect(schema.parse(modelAt(url))).toEqual(modelAt(url))
    },
  )

  it.each(['https://u:p@llm.example/v1', 'https://u@llm.example/', 'https://u:p@{{host}}/v1', 'wss://:p@a'])(
    'cannot be at %j',
    (url) => {
      const texts = issueTexts(schema.safeParse(modelAt(url)).error?.issues ?? [])
      expect(texts).toEqual([MODEL_USERINFO])
    },
  )
})

describe.each(Object.entries(schemas))('the servers of %s’s own voice and transcriber', (_, schema) => {
  const provider = 'custom-voice'
  it.each<object>([
    { voice: { provider, server: { url: 'https://voice.example/a@b' } } },
    { transcriber: { provider: 'custom-transcriber', server: { url: 'https://t.example/' } } },
    {
      model: {
        provider: 'openai',
        model: 'gpt',
        fallbackModels: [{ url: null, baseUrl: 'https://m.example' }],
      },
    },
    { transcriber: null },
  ])('may be %j, which is kept as it comes', (settings) => {
    expect(schema.parse(settings)).toEqual(settings)
  })

  it.each<[string, object]>([
    ['voice.server.url', { voice: { provider, server: { url: 'https://u:p@voice.example/' } } }],
    [
      'voice.fallbackPlan.voices.0.server.url',
      { voice: { provider, fallbackPlan: { voices: [{ server: { url: 'https://u:p@a' } }] } } },
    ],
    ['transcriber.server.url', { transcriber: { server: { url: 'wss://:p@t.example/' } } }],
    [
      'model.fallbackModels.0.baseUrl',
      { model: { provider, model: 'own', fallbackModels: [{ baseUrl: 'https://u@m.example' }] } },
    ],
  ])('name no user and no password in %s', (path, settings) => {
    const texts = issueTexts(schema.safeParse(settings).error?.issues ?? [])
    expect(texts).toEqual([`${path} must not name a user or a password: use headers`])
  })
})

it('tells twenty things that are wrong, and the beginnings of long names', () => {
  const messages = Array(1_000).fill({})
  const names = Object.fromEntries(Array.from({ length: 1_000 }, (_, place) => [`${place}`.padEnd(900), 1]))
  for (const settings of [{ model: { provider: 'openai', messages } }, names]) {
    const texts = issueTexts(storedAssistant.safeParse(settings).error?.issues ?? [])
    expect(texts).toHaveLength(20)
    expect(texts.join('').length).toBeLessThan(6_000)
  }
})
