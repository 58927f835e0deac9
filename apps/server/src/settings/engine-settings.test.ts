import { expect, it } from 'vitest'
import { readSettings } from './settings.js'

const engines = (environment: Record<string, string>) => readSettings(environment).engines
const TRANSCRIBER = 'TRANSCRIBER_URL'

it.each([
  ['https://api.openai.com/v1', undefined],
  ['wss://api.openai.com/v1', 'openai-realtime'],
  ['wss://api.deepgram.com', 'deepgram'],
  ['https://api.deepgram.com/', 'deepgram'],
  ['wss://api.elevenlabs.io', 'elevenlabs'],
  ['tcp://127.0.0.1:10300', 'wyoming'],
])('an address tells the kind: %s', (url, kind) => {
  expect(engines({ [TRANSCRIBER]: url }).transcriber?.kind).toBe(kind)
})

it('a setting tells it where the address does not', () => {
  const url = 'ws://127.0.0.1:9000'
  expect(engines({ [TRANSCRIBER]: url, TRANSCRIBER_KIND: 'deepgram' }).transcriber).toMatchObject({
    ...{ url, kind: 'deepgram' },
  })
  expect(() => engines({ VOICE_URL: url })).toThrow('VOICE_KIND')
  expect(engines({ VOICE_URL: url, VOICE_KIND: 'elevenlabs' }).voice?.kind).toBe('elevenlabs')
})

it('refuses kinds and addresses that do not fit', () => {
  expect(() => engines({ [TRANSCRIBER]: 'tcp://127.0.0.1:1', TRANSCRIBER_KIND: 'deepgram' })).toThrow('tcp:')
  expect(() => engines({ [TRANSCRIBER]: 'wss://a.example', TRANSCRIBER_KIND: 'openai' })).toThrow('wss:')
  expect(() => engines({ [TRANSCRIBER]: 'ftp://a.example' })).toThrow('tcp://')
  expect(() => engines({ [TRANSCRIBER]: 'https://a.example', TRANSCRIBER_KIND: 'vosk' })).toThrow('none of')
  expect(() => engines({ MODEL_URL: 'tcp://127.0.0.1:1' })).toThrow('MODEL_URL')
})

it('a second engine needs a first one, and a URL', () => {
  const url = 'http://127.0.0.1:9000/v1'
  expect(
    readSettings({ MODEL_URL: url, MODEL_FALLBACK_URL: url, MODEL_FALLBACK_NAME: 'any' }).fallbacks,
  ).toMatchObject({
    model: { url, name: 'any' },
  })
  expect(() => readSettings({ MODEL_FALLBACK_URL: url })).toThrow('without MODEL_URL')
  expect(() => readSettings({ VOICE_URL: url, VOICE_FALLBACK_ID: 'any' })).toThrow(
    'without VOICE_FALLBACK_URL',
  )
})

it.each([
  { TRANSCRIBER_URL: 'wss://api.deepgram.com' },
  { VOICE_URL: 'tcp://10.0.0.5:10200' },
  { MODEL_URL: 'http://127.0.0.1:1/v1', MODEL_FALLBACK_URL: 'https://api.openai.com/v1' },
])('a minute with an engine that is not on this machine has a price: %o', (environment) => {
  expect(readSettings(environment).calls.webGate.minutePrice).toBeGreaterThan(0)
  expect(readSettings({ VOICE_URL: 'tcp://127.0.0.1:10200' }).calls.webGate.minutePrice).toBe(0)
})
