import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  type StreamingStandIn,
  startStreamingStandIn,
} from '../../../../packages/voice-platform/src/testing/streaming-stand-in.js'
import {
  startWyomingStandIn,
  type WyomingStandIn,
} from '../../../../packages/voice-platform/src/testing/wyoming-stand-in.js'
import { readSettings } from '../settings/settings.js'
import { checkEngines } from './engines-check.js'

vi.setConfig({ testTimeout: 60_000 })

/** What the offline model says to the doctor. */
const SENTENCE = 'The garden gate is painted green.'

let sockets: StreamingStandIn
let wyoming: WyomingStandIn
beforeEach(async () => {
  sockets = await startStreamingStandIn({ transcript: SENTENCE })
  wyoming = await startWyomingStandIn()
  wyoming.script.transcript = SENTENCE
})
afterEach(async () => {
  await sockets.close()
  await wyoming.close()
})

/** What the doctor says of engines with these settings; each has the same address. */
async function said(kind: string, names: readonly string[], url = addressOf(kind)) {
  const environment = names.flatMap((name) => [
    [`${name}_URL`, url],
    [`${name}_KIND`, kind],
    ...(kind === 'wyoming' ? [] : [[`${name}_KEY`, 'a-key']]),
  ])
  return checkEngines(readSettings(Object.fromEntries(environment)), true)
}
const addressOf = (kind: string) =>
  kind === 'wyoming' ? wyoming.url : kind === 'openai-realtime' ? `${sockets.url}/v1` : sockets.url

/** An address at which nobody is any more. */
async function leftAddress(kind: string): Promise<string> {
  const url = addressOf(kind)
  await Promise.all([sockets.close(), wyoming.close()])
  sockets = await startStreamingStandIn()
  wyoming = await startWyomingStandIn()
  return url
}

const HOSTED = [
  ['TRANSCRIBER', 'deepgram'],
  ['TRANSCRIBER', 'elevenlabs'],
  ['TRANSCRIBER', 'openai-realtime'],
  ['VOICE', 'deepgram'],
  ['VOICE', 'elevenlabs'],
] as const
const ALL = [...HOSTED, ['TRANSCRIBER', 'wyoming'], ['VOICE', 'wyoming']] as const

/** The findings of a pair of engines, where the other is offline. */
const speech = expect.stringMatching(/^“The garden gate is painted green\.” was written in .* spoken in /)

describe.each(ALL)('%s_KIND=%s', (name, kind) => {
  it('that is right speaks or hears the sentence', async () => {
    expect(await said(kind, [name])).toEqual([
      { check: `${name}_URL`, status: 'ok', message: `${addressOf(kind)} is spoken to as ${kind}` },
      { check: 'speech', status: 'ok', message: speech },
    ])
  })

  it('that nobody answers is said with its setting, and what to do', async () => {
    const url = await leftAddress(kind)
    const findings = await said(kind, [name], url)
    expect(findings.slice(1)).toEqual([
      {
        ...{ check: `${name}_URL`, status: 'fail' },
        message: expect.stringMatching(/^cannot be used in a call: .*(reached|connect|ECONNREFUSED)/),
        mend: 'check the address, and that the server does what is asked of it',
      },
    ])
  })
})

it.each(HOSTED)('%s_KIND=%s with a wrong key names the key', async (name, kind) => {
  sockets.script.fault = 'refuse'
  const findings = await said(kind, [name])
  expect(findings.slice(1)).toEqual([
    {
      ...{ check: `${name}_URL`, status: 'fail' },
      message: expect.stringMatching(/^cannot be used in a call: .*401/),
      mend: `set ${name}_KEY to a key of that server that may do this`,
    },
  ])
  expect(JSON.stringify(findings)).not.toContain('a-key')
})

describe('a second engine', () => {
  it('speaks a sentence of its own, and is named by its own settings', async () => {
    const findings = await said('deepgram', ['TRANSCRIBER', 'TRANSCRIBER_FALLBACK'])
    expect(findings.map(({ check, status }) => [check, status])).toEqual([
      ['TRANSCRIBER_URL', 'ok'],
      ['speech', 'ok'],
      ['TRANSCRIBER_FALLBACK_URL', 'ok'],
      ['speech', 'ok'],
    ])
    expect(sockets.connections).toHaveLength(2)
  })

  it.each(['TRANSCRIBER', 'VOICE'] as const)(
    '%s that is refused fails, beside a first that works',
    async (name) => {
      const first = await startWyomingStandIn()
      first.script.transcript = SENTENCE
      sockets.script.fault = 'refuse'
      const findings = await checkEngines(
        readSettings({
          [`${name}_URL`]: first.url,
          [`${name}_FALLBACK_URL`]: sockets.url,
          [`${name}_FALLBACK_KIND`]: 'elevenlabs',
          [`${name}_FALLBACK_KEY`]: 'a-key',
        }),
        true,
      )
      expect(findings.map(({ check, status }) => [check, status])).toEqual([
        [`${name}_URL`, 'ok'],
        ['speech', 'ok'],
        [`${name}_FALLBACK_URL`, 'ok'],
        [`${name}_FALLBACK_URL`, 'fail'],
      ])
      expect(findings.at(-1)).toMatchObject({
        mend: `set ${name}_FALLBACK_KEY to a key of that server that may do this`,
      })
      await first.close()
    },
  )
})
