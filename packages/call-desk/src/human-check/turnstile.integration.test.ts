import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTurnstile } from './turnstile.js'

/** Siteverify as Cloudflare documents it: a token is good once, for the widget's action and data. */
let server: Server
let url: string
let asked: Record<string, unknown>[]
let tokens: Map<string, { action: string; cdata: string }>
let used: Set<string>
let answer: ((response: ServerResponse) => void) | undefined

const json = (response: ServerResponse, body: unknown, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += chunk
  return body
}

beforeEach(async () => {
  asked = []
  tokens = new Map([['good', { action: 'call-me', cdata: 'acme' }]])
  used = new Set()
  answer = undefined
  server = createServer(async (request, response) => {
    const body = JSON.parse(await bodyOf(request))
    asked.push(body)
    if (answer) return answer(response)
    const refuse = (code: string) => json(response, { success: false, 'error-codes': [code], messages: [] })
    if (request.method !== 'POST') return refuse('bad-request')
    if (body.secret !== 'secret-key') return refuse('invalid-input-secret')
    const widget = tokens.get(body.response)
    if (!widget) return refuse(used.has(body.response) ? 'timeout-or-duplicate' : 'invalid-input-response')
    tokens.delete(body.response)
    used.add(body.response)
    return json(response, {
      success: true,
      'error-codes': [],
      challenge_ts: '2026-11-20T19:00:00.000Z',
      hostname: 'demo.example.com',
      ...widget,
      metadata: { interactive: false },
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  url = `http://127.0.0.1:${port}/turnstile/v0/siteverify`
})
afterEach(async () => {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
})

const verify = (token: string, options: { secretKey?: string; timeoutMs?: number; slug?: string } = {}) => {
  const { slug = 'acme', ...changes } = options
  const check = createTurnstile({ secretKey: 'secret-key', url, ...changes })
  return check.verify(token, { slug, address: '203.0.113.7' })
}

describe('a Turnstile token', () => {
  it('is good when Cloudflare says so, and has an id of its own', async () => {
    const id = await verify('good')
    expect(id).toMatch(/^[0-9a-f]{64}$/)
    expect(asked).toEqual([{ secret: 'secret-key', response: 'good', remoteip: '203.0.113.7' }])
    tokens.set('second', { action: 'call-me', cdata: 'acme' })
    expect(await verify('second')).not.toBe(id)
  })

  it('is verified without an address where none is known', async () => {
    const check = createTurnstile({ secretKey: 'secret-key', url })
    expect(await check.verify('good', { slug: 'acme', address: undefined })).toBeDefined()
    expect(asked).toEqual([{ secret: 'secret-key', response: 'good' }])
  })

  it('is good once', async () => {
    await verify('good')
    expect(await verify('good')).toBeUndefined()
  })

  it('is good for a page whose slug no data of a token can hold', async () => {
    tokens.set('umlaut', { action: 'call-me', cdata: '_636166c3a9' })
    expect(await verify('umlaut', { slug: 'café' })).toBeDefined()
    tokens.set('long', { action: 'call-me', cdata: `_${'78'.repeat(127)}` })
    expect(await verify('long', { slug: 'x'.repeat(256) })).toBeDefined()
  })

  it('is good for our action and the page it was made on', async () => {
    tokens.set('login', { action: 'login', cdata: 'acme' })
    expect(await verify('login')).toBeUndefined()
    expect(await verify('good', { slug: 'other' })).toBeUndefined()
    answer = (response) => json(response, { success: true, 'error-codes': [] })
    expect(await verify('bare')).toBeUndefined()
    answer = (response) => json(response, { success: false, action: 'call-me', cdata: 'acme' })
    expect(await verify('denied')).toBeUndefined()
  })

  it('is not even asked for when it is empty or too long', async () => {
    tokens.set('x'.repeat(2048), { action: 'call-me', cdata: 'acme' })
    expect(await verify('')).toBeUndefined()
    expect(await verify('two words')).toBeUndefined()
    expect(await verify('x'.repeat(2049))).toBeUndefined()
    expect(asked).toEqual([])
    expect(await verify('x'.repeat(2048))).toBeDefined()
  })
})

describe('a verifier that gives no verdict', () => {
  it('makes the check fail: a secret of ours that is wrong', async () => {
    await expect(verify('good', { secretKey: 'typo' })).rejects.toMatchObject({
      name: 'HumanCheckError',
      code: 'invalid-input-secret',
    })
  })

  it.each(['internal-error', 'bad-request', 'missing-input-secret', 'a-code-of-tomorrow'])(
    'makes the check fail: %s',
    async (code) => {
      answer = (response) => json(response, { success: false, 'error-codes': ['timeout-or-duplicate', code] })
      await expect(verify('good')).rejects.toMatchObject({ code })
    },
  )

  it.each<[string, (response: ServerResponse) => void]>([
    ['a page of a proxy', (response) => response.end('<html>502</html>')],
    ['an answer of another kind', (response) => json(response, { ok: true })],
    [
      'an error that looks like success',
      (response) => json(response, { success: true, action: 'call-me', cdata: 'acme' }, 503),
    ],
    [
      'a refusal of a proxy that looks like success',
      (response) => json(response, { success: true, action: 'call-me', cdata: 'acme' }, 403),
    ],
    [
      'an answer that is too long',
      (response) =>
        json(response, { success: true, action: 'call-me', cdata: 'acme', more: 'x'.repeat(65_536) }),
    ],
    [
      'half an answer',
      (response) => response.writeHead(200).write('{"success":tr', () => response.destroy()),
    ],
  ])('makes the check fail: %s', async (_, given) => {
    answer = given
    await expect(verify('good')).rejects.toMatchObject({ code: 'unreadable' })
  })

  it('is read no further where its answer has no end', async () => {
    let closed = () => {}
    const isClosed = new Promise<void>((resolve) => {
      closed = resolve
    })
    answer = (response) => {
      response.on('close', closed)
      const write = () => {
        while (response.write(' '.repeat(16_384)));
        response.once('drain', write)
      }
      write()
    }
    await expect(verify('good', { timeoutMs: 60_000 })).rejects.toMatchObject({ code: 'unreadable' })
    await isClosed
  })

  it('may refuse a token with a status of its own', async () => {
    answer = (response) => json(response, { success: false, 'error-codes': ['invalid-input-response'] }, 400)
    expect(await verify('good')).toBeUndefined()
  })

  it('makes the check fail: nobody there, or another place', async () => {
    answer = (response) => response.writeHead(307, { location: 'https://elsewhere.example/' }).end()
    await expect(verify('good')).rejects.toMatchObject({ code: 'unreachable' })
    await expect(
      createTurnstile({ secretKey: 'secret-key', url: 'http://127.0.0.1:1/' }).verify('good', {
        slug: 'acme',
        address: undefined,
      }),
    ).rejects.toMatchObject({ code: 'unreachable' })
  })

  it('makes the check fail: an answer that does not come, or not to its end', async () => {
    answer = () => {}
    await expect(verify('good', { timeoutMs: 30 })).rejects.toMatchObject({ code: 'timeout' })
    answer = (response) => response.writeHead(200).write('{"success":')
    await expect(verify('good', { timeoutMs: 30 })).rejects.toMatchObject({ code: 'timeout' })
  })

  it('tells nobody the token or the secret', async () => {
    const error: unknown = await verify('a-token', { secretKey: 'typo' }).catch((reason: unknown) => reason)
    expect(String(error)).not.toMatch(/a-token|typo/)
  })
})

describe('made-up tokens', () => {
  /** Answers that were asked for and are held back, in their order. */
  let held: Array<() => void>
  beforeEach(() => {
    held = []
    answer = (response) =>
      void held.push(() => json(response, { success: false, 'error-codes': ['invalid-input-response'] }))
  })
  const check = () => createTurnstile({ secretKey: 'secret-key', url })
  const tokens = () => asked.map(({ response }) => response)
  /** Answers all, also those that come in meanwhile, and tells what became of each. */
  async function settle(verdicts: Array<Promise<string | undefined>>) {
    const all = Promise.allSettled(verdicts)
    let isOver = false
    void all.then(() => {
      isOver = true
    })
    while (!isOver) {
      for (const give of held.splice(0)) give()
      await turn()
    }
    return (await all).map((end) => (end.status === 'rejected' ? end.reason.code : end.value))
  }

  it('of one network are asked for one at a time, and somebody else waits for none of them', async () => {
    const { verify } = check()
    const flood = Array.from({ length: 24 }, (_, n) =>
      verify(`made-up-${n}`, { slug: 'acme', address: `20.9.1.${1 + (n % 8)}` }),
    )
    const other = verify('other', { slug: 'acme', address: '203.0.113.7' })
    await expect.poll(tokens).toContain('other')
    expect(tokens()).toHaveLength(2)
    expect(await settle([...flood, other])).toEqual(Array(25).fill(undefined))
    expect(asked).toHaveLength(25)
  })

  it('of one address have four places: one is asked for, and three wait', async () => {
    const { verify } = check()
    const flood = Array.from({ length: 10 }, (_, n) =>
      verify(`made-up-${n}`, { slug: 'acme', address: '20.9.1.1' }),
    )
    const ends = await settle(flood)
    expect(ends.filter((end) => end === 'too_many')).toHaveLength(6)
    expect(asked).toHaveLength(4)
  })

  it('of many networks are asked for twenty at a time', async () => {
    const { verify } = check()
    const flood = Array.from({ length: 60 }, (_, n) =>
      verify(`made-up-${n}`, { slug: 'acme', address: `20.9.${n}.1` }),
    )
    await expect.poll(() => asked.length).toBe(20)
    for (let n = 0; n < 50; n++) await turn()
    expect(asked).toHaveLength(20)
    await settle(flood)
    expect(asked).toHaveLength(60)
  })
})

it('needs a secret key', () => {
  expect(() => createTurnstile({ secretKey: '' })).toThrow('secretKey must not be empty')
})
