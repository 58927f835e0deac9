import { afterEach, describe, expect, it, vi } from 'vitest'
import { type CallNames, callSource } from './call-source.js'

const NOTHING: CallNames = {
  server: 'https://demo.example',
  slug: undefined,
  assistant: undefined,
  key: undefined,
  platform: undefined,
}
const source = (names: Partial<CallNames>, humanCheck?: () => Promise<string>) =>
  callSource({ ...NOTHING, ...names }, humanCheck)

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('a visitor', () => {
  /** Asks for the call of `acme`, which is answered so. */
  async function asked(answer: Response, humanCheck?: () => Promise<string>) {
    const sent: Request[] = []
    vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
      sent.push(new Request(url, init))
      return answer
    })
    const { client } = source({ slug: 'acme', server: 'https://demo.example/' }, humanCheck)
    const given = await client.fetch?.('https://demo.example/-/platform/call/web', {
      method: 'POST',
      body: '{"a":1}',
    })
    return { given, request: sent[0] ?? expect.unreachable() }
  }

  it('is called by our function, which gets the slug alone', async () => {
    const answer = Response.json({ id: 'call-1' }, { status: 201 })
    const { given, request } = await asked(answer)
    expect(given).toBe(answer)
    expect(request.url).toBe('https://demo.example/-/backend/functions/v1/web-call')
    expect([...request.headers]).toEqual([['content-type', 'application/json']])
    expect(await request.json()).toEqual({ slug: 'acme' })
  })

  it('is called with a token of the human check, where the page has one', async () => {
    const { request } = await asked(Response.json({}), async () => 'a token')
    expect(request.headers.get('x-human-check')).toBe('a token')
  })

  it('that there is not is told as the server tells it', async () => {
    const answer = Response.json({ code: 'visitor_not_found', message: 'No such visitor' }, { status: 404 })
    expect((await asked(answer)).given).toBe(answer)
  })

  it('cannot be called at a server whose page starts its calls, which is said', async () => {
    const answer = Response.json({ message: 'Requested function was not found.' }, { status: 404 })
    await expect(asked(answer)).rejects.toThrow(/WEB_CALLS=minted/)
  })
})

describe('an assistant', () => {
  it('is called at the server’s platform, or at another one', () => {
    const names = { assistant: 'assistant-1', key: 'pk-1' }
    expect(source(names)).toEqual({
      client: { token: 'pk-1', baseUrl: 'https://demo.example/-/platform' },
      input: { assistant: 'assistant-1' },
    })
    expect(source({ ...names, server: '', platform: 'https://platform.example/' }).client.baseUrl).toBe(
      'https://platform.example',
    )
  })

  it.each<[string, Partial<CallNames>, RegExp]>([
    ['nothing to call', {}, /needs a slug, or an assistant with a key/],
    ['no key', { assistant: 'assistant-1' }, /needs the platform’s public key/],
    ['no server', { slug: 'acme', server: '' }, /needs the address of a server, not none/],
    ['a server that is none', { slug: 'acme', server: 'demo.example' }, /not demo\.example/],
    [
      'a script as a server',
      { slug: 'acme', server: 'javascript:alert(1)' },
      /needs the address of a server/,
    ],
  ])('with %s is refused in words', (_, names, message) => {
    expect(() => source(names)).toThrow(message)
  })
})
