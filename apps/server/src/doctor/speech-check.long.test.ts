import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  type OpenAiStandIn,
  startOpenAiStandIn,
} from '../../../../packages/voice-platform/src/testing/openai-stand-in.js'
import { readSettings } from '../settings/settings.js'
import { checkEngines } from './engines-check.js'
import type { Finding } from './finding.js'

vi.setConfig({ testTimeout: 60_000 })

let server: OpenAiStandIn
beforeEach(async () => {
  server = await startOpenAiStandIn({ transcript: null, reply: ['The gate ', 'is green.'] })
})
afterEach(() => server.close())

const spoken = (findings: Finding[]) =>
  findings.filter(({ message }) => !/ answers|lists no models/.test(message))
const check = async (environment: Record<string, string>, speaks = true) =>
  spoken(await checkEngines(readSettings(environment), speaks))
const hosted = () => ({ MODEL_URL: server.url, VOICE_URL: server.url, TRANSCRIBER_URL: server.url })
const paths = () => server.requests.map(({ path }) => path).filter((path) => path !== '/v1/models')
/** The next requests to this path are refused. */
function refuse(path: string, status: number, code: string) {
  server.script.intercept = (asked: string, response: ServerResponse) => {
    if (asked !== path) return false
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: { code, message: 'sk-secret' } }))
    return true
  }
}

describe('one sentence', () => {
  it('goes through the offline engines', async () => {
    expect(await check({})).toEqual([
      {
        check: 'speech',
        status: 'ok',
        message: expect.stringMatching(
          /^“The garden gate is painted green\.” was written in \d\.\d s and spoken in \d+\.\d s; the offline transcriber hears speech, but no words of it$/,
        ),
      },
    ])
  })

  it('comes back as words from hosted ones, at a bounded cost', async () => {
    expect(await check({ ...hosted(), VOICE_ID: 'nova' })).toEqual([
      {
        check: 'speech',
        status: 'ok',
        message: expect.stringMatching(
          /^“The gate is green\.” was written .*came back as words in \d\.\d s$/,
        ),
      },
    ])
    expect(paths()).toEqual(['/v1/chat/completions', '/v1/audio/speech', '/v1/audio/transcriptions'])
    const [model, voice] = server.requests
      .filter(({ path }) => /completions|speech/.test(path))
      .map(({ body }) => JSON.parse(body.toString()))
    expect(model).toMatchObject({ model: 'gpt-4o-mini', max_tokens: 60 })
    expect(voice).toMatchObject({ voice: 'nova', input: 'The gate is green.' })
  })

  it('is the beginning of whatever a model says', async () => {
    server.script.reply = Array(100).fill('a very long story ')
    await check(hosted())
    const speech = server.requests.find(({ path }) => path === '/v1/audio/speech')
    expect(JSON.parse(speech?.body.toString() ?? '').input.length).toBeLessThanOrEqual(120)
  })

  it('that is not understood is shown beside what was heard', async () => {
    server.script.transcript = 'Thanks\u001b[31m for\nwatching!'
    expect(await check(hosted())).toEqual([
      {
        check: 'TRANSCRIBER_NAME',
        status: 'warn',
        message: expect.stringMatching(/but was heard as “Thanks \[31m for watching!”$/),
        mend: expect.stringMatching(/TRANSCRIBER_NAME/),
      },
    ])
  })
})

describe('a model that', () => {
  const offered = () =>
    server.requests
      .filter(({ path }) => path === '/v1/chat/completions')
      .map(({ body }) => 'tools' in JSON.parse(body.toString()))

  it('takes no tools speaks all the same, and that is told', async () => {
    server.script.intercept = (path, response) => {
      if (path !== '/v1/chat/completions' || !offered().at(-1)) return false
      response.writeHead(400, { 'content-type': 'application/json' })
      response.end(
        JSON.stringify({ error: { message: 'gemma:2b does not support tools', type: 'api_error' } }),
      )
      return true
    }
    expect(await check({ ...hosted(), MODEL_NAME: 'gemma:2b' })).toEqual([
      { check: 'speech', status: 'ok', message: expect.stringContaining('The gate is green.') },
      {
        check: 'MODEL_NAME',
        status: 'warn',
        message: 'gemma:2b takes no tools: assistants can neither transfer calls nor press keys with it',
        mend: expect.stringMatching(/MODEL_NAME/),
      },
    ])
    expect(offered()).toEqual([true, false])
  })

  it('uses the tool without a word is asked again without it', async () => {
    const { intercept: _, ...script } = server.script
    server.script.intercept = (path) => {
      if (path === '/v1/chat/completions') {
        const isFirst = offered().length === 1
        server.script.reply = isFirst ? [] : script.reply
        server.script.toolCalls = isFirst ? [{ name: 'dtmf', arguments: { dtmf: '1' } }] : []
      }
      return false
    }
    expect((await check(hosted()))[0]).toMatchObject({ check: 'speech', status: 'ok' })
    expect(offered()).toEqual([true, false])
  })
})

describe('an engine that fails', () => {
  it.each([
    ['/v1/chat/completions', 404, 'model_not_found', 'MODEL_URL', /set MODEL_NAME to a model/],
    ['/v1/chat/completions', 429, 'insufficient_quota', 'MODEL_URL', /account .*insufficient_quota/],
    ['/v1/audio/speech', 401, 'invalid_api_key', 'VOICE_URL', /set VOICE_KEY/],
    ['/v1/audio/speech', 400, 'bad_voice', 'VOICE_URL', /VOICE_NAME .*VOICE_ID/],
    ['/v1/audio/transcriptions', 500, 'server_error', 'TRANSCRIBER_URL', /ask again later/],
  ])(
    '%s, %i: one line says which, and what to do; the others are tried',
    async (path, status, code, name, mend) => {
      refuse(path, status, code)
      const findings = await check(hosted())
      expect(findings).toEqual([
        {
          check: name,
          status: 'fail',
          message: expect.stringContaining(`${status} (${code})`),
          mend: expect.stringMatching(mend),
        },
      ])
      expect(JSON.stringify(findings)).not.toContain('sk-secret')
      expect(new Set(paths()).size).toBe(3)
    },
  )

  it('by silence, is told too', async () => {
    server.script.intercept = (path, response) => {
      if (path !== '/v1/audio/speech') return false
      response.writeHead(200, { 'content-type': 'audio/pcm' })
      response.end(Buffer.alloc(48_000))
      return true
    }
    expect((await check(hosted()))[0]).toMatchObject({
      check: 'VOICE_URL',
      message: expect.stringContaining('silence'),
    })
  })

  it('that is known not to work is not asked again', async () => {
    const findings = await check({ ...hosted(), MODEL_URL: 'http://127.0.0.1:9/v1' })
    expect(findings.map(({ check, status }) => [check, status])).toEqual([['MODEL_URL', 'fail']])
    expect(paths()).toEqual(['/v1/audio/speech', '/v1/audio/transcriptions'])
  })
})

it('nothing is spoken unless it is wanted, or where the platform is hosted', async () => {
  expect(await check(hosted(), false)).toEqual([])
  const keys = { PLATFORM_PUBLIC_KEY: 'p', PLATFORM_PRIVATE_KEY: 's', PLATFORM_ASSISTANT_ID: 'a' }
  expect(await check({ ...hosted(), ...keys, PLATFORM_URL: server.url })).toEqual([])
  expect(paths()).toEqual([])
})
