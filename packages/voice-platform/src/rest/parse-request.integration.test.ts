import type { Db } from '@heyline/database'
import { ValidationError } from '@heyline/platform-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PlatformBench, startPlatform } from '../testing/platform-bench.js'
import { openPlatformDb } from '../testing/platform-db.js'

let db: Db
let bench: PlatformBench
beforeAll(async () => {
  db = await openPlatformDb()
  bench = await startPlatform(db)
})
afterAll(async () => {
  await bench.close()
  await db.close()
})

const assistant = { firstMessage: 'Hello.', model: { provider: 'openai', model: 'gpt-4o-mini' } }
const body = async (response: Response) => ({ status: response.status, body: await response.json() })

const NOT_ONE_LINE =
  'name must be one line of text, without control characters and without marks that turn its direction'

describe('bodies', () => {
  const refused = async (path: string, input: unknown) => {
    const response = await bench.request('POST', path, input)
    const answer = (await response.json()) as { message: string | string[]; error: string }
    expect(response.status).toBe(400)
    expect(answer).toMatchObject({ error: 'Bad Request', statusCode: 400 })
    return answer.message
  }

  it('unknown properties are refused in the platform’s words', async () => {
    expect(await refused('/call/web', { assistant, phone: 1, slug: 'x' })).toEqual([
      'property phone should not exist',
      'property slug should not exist',
    ])
    expect(await refused('/assistant', { nonsense: true })).toEqual(['property nonsense should not exist'])
    expect(await refused('/call', { assistant, customer: { number: '+12025550123', age: 7 } })).toEqual([
      'customer.property age should not exist',
    ])
  })

  it('a body is nested 100 levels deep at most: all that is stored can be listed', async () => {
    const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels))
    const of = (levels: number) => ({ ...assistant, model: { ...assistant.model, newer: nested(levels) } })
    expect((await bench.request('POST', '/assistant', of(98))).status).toBe(201)
    expect(await refused('/assistant', of(99))).toBe('The body is nested more than 100 levels deep.')
    expect((await bench.request('GET', '/assistant')).status).toBe(200)
  })

  it('an assistant of a call has the settings of any other, and those of its model’s provider', async () => {
    const unknown = { somethingNew: { deep: true } }
    expect(await refused('/call/web', { assistant: unknown })).toEqual([
      'assistant.property somethingNew should not exist',
    ])
    expect(await refused('/call/web', { assistant, assistantOverrides: unknown })).toEqual([
      'assistantOverrides.property somethingNew should not exist',
    ])
    const response = await bench.request('POST', '/call/web', {
      assistant: { ...assistant, analysisPlan: {}, model: { ...assistant.model, newer: 1 } },
      assistantOverrides: { variableValues: { name: 'Sample' } },
    })
    expect(response.status).toBe(201)
  })

  it.each(
    [
      [{ name: 'x'.repeat(41) }, 'name must be shorter than or equal to 40 characters'],
      ...['two\nlines', 'tab\t', 'bell\u0007', 'c1\u0085', 'turned\u202earound'].map(
        (name) => [{ name }, NOT_ONE_LINE] as const,
      ),
      [{ model: { provider: 'openai', maxTokens: 49 } }, 'model.maxTokens must not be less than 50'],
      [
        { model: { provider: 'openai', maxTokens: 10_001 } },
        'model.maxTokens must not be greater than 10000',
      ],
      [{ model: { provider: 'openai', temperature: 3 } }, 'model.temperature must not be greater than 2'],
      [{ model: {} }, 'model.provider must be a string'],
      [{ maxDurationSeconds: 9 }, 'maxDurationSeconds must not be less than 10'],
      [{ maxDurationSeconds: 43_201 }, 'maxDurationSeconds must not be greater than 43200'],
      [{ silenceTimeoutSeconds: 9 }, 'silenceTimeoutSeconds must not be less than 10'],
      [{ silenceTimeoutSeconds: 3_601 }, 'silenceTimeoutSeconds must not be greater than 3600'],
      [
        { firstMessage: 'x'.repeat(10_001) },
        'firstMessage must be shorter than or equal to 10000 characters',
      ],
      [
        { model: { provider: 'openai', messages: [{ role: 'system', content: 'x'.repeat(100_001) }] } },
        'model.messages must be shorter than or equal to 100000 characters',
      ],
      [
        {
          model: {
            provider: 'openai',
            messages: Array.from({ length: 3 }, () => ({ role: 'system', content: 'x'.repeat(40_000) })),
          },
        },
        'model.messages must be shorter than or equal to 100000 characters',
      ],
      [{ firstMessage: 7 }, 'firstMessage must be a string'],
      [{ server: { url: 'ftp://host' } }, 'server.url must be a valid url'],
      [{ server: { timeoutSeconds: 301 } }, 'server.timeoutSeconds must not be greater than 300'],
      [
        { server: { backoffPlan: { type: 'fixed', maxRetries: 11, baseDelaySeconds: 1 } } },
        'server.backoffPlan.maxRetries must not be greater than 10',
      ],
      [{ server: { secret: 'two\nlines' } }, 'server.secret must be the value of a header'],
      [{ server: { credentialId: 'c' } }, 'server.property credentialId should not exist'],
      [
        { model: { provider: 'openai', messages: [{ role: 'robot', content: 'x' }] } },
        'model.messages.0.role must be one of the following values: assistant, function, user, system, tool',
      ],
    ].map(([settings, message]) => ({ settings, message })),
  )('an assistant is refused: $message', async ({ settings, message }) => {
    expect(await refused('/assistant', settings)).toEqual([message])
    expect(await refused('/call/web', { assistant: settings })).toEqual([`assistant.${message}`])
    expect(await refused('/call/web', { assistant, assistantOverrides: settings })).toEqual([
      `assistantOverrides.${message}`,
    ])
  })

  it('a call and a token have names of one line too', async () => {
    const name = 'two\nlines'
    expect(await refused('/call', { assistant, name, customer: { number: '+12025550123' } })).toEqual([
      NOT_ONE_LINE,
    ])
    expect(await refused('/call', { assistant, name, transport: { provider: 'vapi.websocket' } })).toEqual([
      NOT_ONE_LINE,
    ])
    expect(await refused('/token', { name })).toEqual([NOT_ONE_LINE])
  })

  it('a name of any script is taken, with its joiners and marks', async () => {
    for (const name of ['مطعم \u200fالنخيل', 'म\u094d\u200dय', 'Zoë’s 👩‍🍳 Café'])
      expect((await bench.client.assistants.create({ name })).name).toBe(name)
  })

  it('a first message of 10,000 characters and a prompt of 100,000 are taken', async () => {
    const longest = {
      firstMessage: 'x'.repeat(10_000),
      model: { provider: 'openai', messages: [{ role: 'system', content: 'x'.repeat(100_000) }] },
    }
    expect((await bench.request('POST', '/call/web', { assistant: longest })).status).toBe(201)
  })

  it('the specification’s overrides are taken', async () => {
    const { assistantId } = await bench.platform.defaults()
    const call = await bench.client.calls.createWeb({
      assistantId,
      assistantOverrides: {
        firstMessage: 'Hey Sample Bakery.',
        model: {
          provider: 'openai',
          model: 'gpt-4o-mini',
          emotionRecognitionEnabled: true,
          maxTokens: 250,
          messages: [{ role: 'system', content: 'You sell bread.' }],
        },
      },
    })
    expect(call).toMatchObject({ type: 'webCall', status: 'queued', assistantId })
  })

  it.each([['+1 202 555 0123'], ['2025550123'], ['+0123456'], ['tel:+12025550123']])(
    'the number %s is refused',
    async (number) => {
      const [message] = await refused('/call', { assistant, customer: { number } })
      expect(message).toMatch(/^customer\.number must be a valid phone number in the E\.164 format\./)
    },
  )

  it('numbers have 3 to 40 characters', async () => {
    expect(await refused('/call', { assistant, customer: { number: '+1' } })).toContain(
      'customer.number must be longer than or equal to 3 characters',
    )
    expect(await refused('/call', { assistant, customer: { number: `+${'1'.repeat(40)}` } })).toContain(
      'customer.number must be shorter than or equal to 40 characters',
    )
  })

  it('a call needs somebody who speaks', async () => {
    expect(await refused('/call/web', {})).toMatch(
      /one of assistant, assistantId, squad, .* must be provided/,
    )
    expect(await refused('/call', { customer: { number: '+12025550123' } })).toMatch(/must be provided/)
    expect(await refused('/call/web', { assistant, assistantId: crypto.randomUUID() })).toMatch(/Only one/)
    const missing = crypto.randomUUID()
    expect(await refused('/call/web', { assistantId: missing })).toBe(
      `Couldn't get assistant: ${missing} does not exist.`,
    )
    expect(await refused('/call/web', { assistantId: 'asst-1' })).toEqual(['assistantId must be a UUID'])
  })

  it('a phone call needs a customer, and a caller id that exists', async () => {
    expect(await refused('/call', { assistant })).toEqual(['customer should not be empty'])
    expect(await refused('/call', { assistant, customer: {} })).toEqual(['customer.number must be a string'])
    const phoneNumberId = crypto.randomUUID()
    expect(await refused('/call', { assistant, customer: { number: '+12025550123' }, phoneNumberId })).toBe(
      `Couldn't get phone number: ${phoneNumberId} does not exist.`,
    )
  })

  it.each([
    ['/call', { assistant, customers: [{ number: '+12025550123' }] }],
    ['/call', { assistant, customerId: 'c' }],
    ['/call', { assistant, customer: { number: '+12025550123' }, schedulePlan: {} }],
    ['/call', { assistant, customer: { number: '+12025550123' }, phoneNumber: {} }],
    ['/call', { assistant, customer: { number: '+12025550123' }, transport: {} }],
    ['/call', { assistant, customer: { number: '+12025550123', sipUri: 'sip:a@b' } }],
    ['/call', { assistant, customer: { sipUri: 'sip:a@b' } }],
  ])('POST %s with %j is known, but not served', async (path, input) => {
    const { status, body: answer } = await body(await bench.request('POST', path, input))
    expect([status, answer.error]).toEqual([422, 'Not Served'])
    expect(answer.message).toMatch(/built-in voice platform/)
  })

  it.each([
    ['{'],
    [''],
    ['[]'],
    ['"x"'],
    ['null'],
    ['{"assistant":{"firstMessage":"\\u0000"}}'],
    ['{"assistant":{"firstMessage":"\\ud800"}}'],
    [`${'['.repeat(100_000)}`],
  ])('the body %.60s is refused', async (text) => {
    await refused('/call/web', text)
  })

  it('a body over a megabyte is refused', async () => {
    const response = await bench.request('POST', '/assistant', {
      firstMessage: 'x'.repeat(1_000_001),
    })
    expect(await body(response)).toMatchObject({ status: 413, body: { error: 'Payload Too Large' } })
  })

  it('the real client sees a validation error', async () => {
    await expect(bench.client.calls.createWeb({})).rejects.toBeInstanceOf(ValidationError)
  })
})
