import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { openReceiver, type Receiver } from '../testing/receiver.js'
import { guardedPost, type PostOptions } from './guarded-post.js'

let receiver: Receiver
const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})
async function open(...given: Parameters<typeof openReceiver>) {
  receiver = await openReceiver(...given)
  closers.push(() => receiver.close())
}
const post = (url: string, options: Partial<PostOptions> = {}) =>
  guardedPost({ url, headers: { 'webhook-id': 'x' }, body: '{"é":1}' }, { allowPrivate: true, ...options })
const leadingTo =
  (...addresses: string[]): PostOptions['resolve'] =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))

describe('a post', () => {
  it('arrives as it is, and succeeds with any 2xx', async () => {
    await open((_, response) => void response.writeHead(299).end('fine'))
    expect(await post(receiver.url)).toEqual({ status: 299, error: null })
    expect(receiver.received).toMatchObject([{ body: '{"é":1}', headers: { 'webhook-id': 'x' } }])
  })

  it('follows no redirect', async () => {
    const other = await openReceiver()
    closers.push(() => other.close())
    await open((_, response) => void response.writeHead(307, { location: other.url }).end())
    expect(await post(receiver.url)).toEqual({
      status: 307,
      error: `It redirects to ${other.url}, and redirects are not followed`,
    })
    expect(other.received).toEqual([])
  })

  it.each([400, 410, 500])('fails with %i', async (status) => {
    await open((_, response) => void response.writeHead(status).end())
    expect(await post(receiver.url)).toEqual({ status, error: `It answered ${status}` })
  })

  it.each([429, 503])('fails with %i, and says when to come back', async (status) => {
    const now = Date.UTC(2026, 4, 1)
    const says = (after: string) =>
      receiver.answers((_, response) => void response.writeHead(status, { 'retry-after': after }).end())
    const asked = async () => (await post(receiver.url, { clock: { now: () => now } })).retryAfterMs
    await open()
    says('90')
    expect(await asked()).toBe(90_000)
    says(new Date(now + 60_000).toUTCString())
    expect(await asked()).toBe(60_000)
    says('soon')
    expect(await asked()).toBeUndefined()
  })

  it('heeds no other status that says when to come back', async () => {
    await open((_, response) => void response.writeHead(500, { 'retry-after': '90' }).end())
    expect(await post(receiver.url)).toEqual({ status: 500, error: 'It answered 500' })
  })

  it('waits for an answer so long, and no longer', async () => {
    await open(() => {})
    expect(await post(receiver.url, { tryMs: 200 })).toEqual({
      status: null,
      error: 'No answer within 0.2 seconds',
    })
  })

  it('waits no longer for one that comes in drops, or for a name that is not looked up', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      const drops = setInterval(() => socket.write('H'), 20)
      socket.on('close', () => clearInterval(drops))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    closers.push(async () => void server.close())
    const address = server.address()
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`
    expect((await post(url, { tryMs: 200 })).status).toBeNull()
    const never = () => new Promise<never>(() => {})
    const late = await post('http://slow.example/', { tryMs: 200, resolve: never })
    expect(late.error).toBe('No answer within 0.2 seconds')
  })

  it('reads an endless answer only so far', async () => {
    let sent = 0
    await open((_, response) => {
      response.writeHead(200)
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(16_384))) sent += 16_384
      }
      response.on('drain', more)
      response.on('error', () => {})
      more()
    })
    expect(await post(receiver.url)).toEqual({ status: 200, error: null })
    expect(sent).toBeLessThan(20_000_000)
  })

  it('ends in time where the answer’s body never does', async () => {
    await open((_, response) => {
      response.writeHead(200)
      response.flushHeaders()
    })
    expect(await post(receiver.url, { tryMs: 200 })).toEqual({ status: 200, error: null })
  })

  it.each(['127.0.0.1', '::ffff:10.0.0.1', '169.254.169.254', '10.1.2.3', '::1', 'fe80::1', '100.64.0.1'])(
    'is refused where the name leads to %s',
    async (address) => {
      await open()
      const { port } = receiver
      const result = await post(`https://hook.example:${port}/`, {
        allowPrivate: false,
        resolve: leadingTo(address),
      })
      expect(result.status).toBeNull()
      expect(result.error).toContain(`hook.example leads to ${address}, which is refused`)
      expect(receiver.received).toEqual([])
    },
  )

  it('is refused where one of several addresses is', async () => {
    const result = await post('https://hook.example/', {
      allowPrivate: false,
      resolve: leadingTo('93.184.216.34', '10.0.0.1'),
    })
    expect(result.error).toContain('10.0.0.1')
  })

  it('goes to the address that was checked, and asks for it once', async () => {
    await open()
    let asked = 0
    const resolve: PostOptions['resolve'] = async () => {
      asked++
      return [{ address: asked === 1 ? '127.0.0.1' : '169.254.169.254', family: 4 }]
    }
    const result = await post(`http://rebinding.example:${receiver.port}/`, { resolve })
    expect(result).toEqual({ status: 204, error: null })
    expect(asked).toBe(1)
    const again = await post(`http://rebinding.example:${receiver.port}/`, { resolve })
    expect(again.error).toContain('169.254.169.254')
  })

  it.each(['http://169.254.169.254/', 'http://[fe80::1]/', 'http://0.0.0.0/'])(
    'is refused for %s, which needs no lookup',
    async (url) => expect((await post(url)).error).toMatch(/refused/),
  )

  it('says that nobody listens, and that a name is not known', async () => {
    await open()
    const { url } = receiver
    await receiver.close()
    closers.splice(0)
    expect((await post(url)).error).toBe('Nobody listens there (ECONNREFUSED)')
    const unknown = Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' })
    const result = await post('http://nowhere.example/', { resolve: () => Promise.reject(unknown) })
    expect(result.error).toBe('The name of the host is not known')
  })
})
