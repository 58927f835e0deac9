import { getEventListeners } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { ConnectionError, PlatformClient, TimeoutError } from '../index.js'
import { json, startLocalServer } from '../testing/local-server.js'

const clientOf = (baseUrl: string, options = {}) => new PlatformClient({ token: 't', baseUrl, ...options })

/** An address where nobody listens. */
async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}`
}

describe('retries', () => {
  it('repeats a GET until it is answered well', async () => {
    await using server = await startLocalServer((_, response, count) =>
      count < 3 ? json(response, 503, { message: 'later' }, { 'retry-after': '0' }) : json(response, 200, []),
    )
    expect(await clientOf(server.url).calls.list()).toEqual([])
    expect(server.requests).toHaveLength(3)
  })

  it('repeats a GET whose connection was cut', async () => {
    await using server = await startLocalServer((_, response, count) =>
      count === 1 ? response.destroy() : json(response, 200, []),
    )
    await clientOf(server.url).calls.list()
    expect(server.requests).toHaveLength(2)
  })

  it('gives up with the last error after so many', async () => {
    await using server = await startLocalServer((_, response, count) =>
      json(response, 500, { message: `no ${count}` }),
    )
    await expect(clientOf(server.url, { retries: 1 }).calls.list()).rejects.toThrow('no 2')
    expect(server.requests).toHaveLength(2)
  })

  it.each([429, 500, 503])('sends a POST once when it is answered with %i', async (status) => {
    await using server = await startLocalServer((_, response) =>
      json(response, status, {}, { 'retry-after': '0' }),
    )
    await expect(clientOf(server.url).calls.create({ assistantId: 'a' })).rejects.toMatchObject({
      status,
      retryAfter: 0,
    })
    expect(server.requests).toHaveLength(1)
  })

  it('sends a POST once when its connection is cut', async () => {
    await using server = await startLocalServer((_, response) => response.destroy())
    const error = await clientOf(server.url)
      .calls.create({ assistantId: 'a' })
      .catch((caught) => caught)
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error).toMatchObject({ neverSent: false, method: 'POST', path: '/call' })
    expect(server.requests).toHaveLength(1)
  })

  it('sends a PATCH once, and repeats PUT and DELETE', async () => {
    await using server = await startLocalServer((_, response) =>
      json(response, 503, {}, { 'retry-after': '0' }),
    )
    const platform = clientOf(server.url, { retries: 1 })
    for (const method of ['PATCH', 'PUT', 'DELETE'] as const) {
      await expect(platform.request({ method, path: '/tool/1' })).rejects.toMatchObject({ status: 503 })
    }
    expect(server.requests.map((request) => request.method)).toEqual([
      'PATCH',
      'PUT',
      'PUT',
      'DELETE',
      'DELETE',
    ])
  })

  it('does not repeat what another try cannot better', async () => {
    await using server = await startLocalServer((_, response) => json(response, 404, { message: 'none' }))
    await expect(clientOf(server.url).calls.get('1')).rejects.toMatchObject({ status: 404 })
    expect(server.requests).toHaveLength(1)
  })

  it('does not wait past the time limit', async () => {
    await using server = await startLocalServer((_, response) =>
      json(response, 429, {}, { 'retry-after': '60' }),
    )
    await expect(clientOf(server.url).calls.list()).rejects.toMatchObject({ status: 429, retryAfter: 60 })
    expect(server.requests).toHaveLength(1)
  })
})

describe('a connection that fails', () => {
  it('tells that a refused one carried nothing', async () => {
    const error = await clientOf(await freePort())
      .calls.create({ assistantId: 'a' })
      .catch((caught) => caught)
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error).toMatchObject({ neverSent: true, code: 'connection_failed' })
  })

  it('leaves it open when the answer is cut in its body', async () => {
    await using server = await startLocalServer((_, response) => {
      response.writeHead(201, { 'content-type': 'application/json', 'content-length': '100' })
      response.write('{"id":', () => response.destroy())
    })
    const error = await clientOf(server.url)
      .calls.create({ assistantId: 'a' })
      .catch((caught) => caught)
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error.neverSent).toBe(false)
  })
})

describe('time limit and abort', () => {
  it.each([
    ['no answer', false],
    ['half an answer', true],
  ])('ends %s with a TimeoutError', async (_, half) => {
    await using server = await startLocalServer((__, response) => {
      if (half) response.writeHead(200).write('{')
    })
    const error = await clientOf(server.url, { timeoutMs: 50 })
      .calls.create({ assistantId: 'a' })
      .catch((caught) => caught)
    expect(error).toBeInstanceOf(TimeoutError)
    expect(error).toMatchObject({ timeoutMs: 50, code: 'timeout', path: '/call' })
  })

  it("rejects with the signal's reason, and leaves no listener", async () => {
    const controller = new AbortController()
    await using server = await startLocalServer(() => controller.abort())
    const sent = clientOf(server.url).calls.list({}, { signal: controller.signal })
    await expect(sent).rejects.toMatchObject({ name: 'AbortError' })
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0)
  })

  it('can be aborted in the microtask after the call', async () => {
    await using server = await startLocalServer((_, response) => json(response, 200, []))
    const controller = new AbortController()
    const reason = new Error('changed my mind')
    const sent = clientOf(server.url).calls.list({}, { signal: controller.signal })
    controller.abort(reason)
    await expect(sent).rejects.toBe(reason)
  })

  it('can be aborted while it waits to repeat', async () => {
    const controller = new AbortController()
    await using server = await startLocalServer((_, response) => {
      response.once('close', () => setImmediate(() => controller.abort()))
      json(response, 503, {}, { 'retry-after': '20' })
    })
    const sent = clientOf(server.url).calls.list({}, { signal: controller.signal })
    await expect(sent).rejects.toMatchObject({ name: 'AbortError' })
    expect(server.requests).toHaveLength(1)
  })

  it('leaves no timer and no listener after a good answer', async () => {
    await using server = await startLocalServer((_, response) => json(response, 200, []))
    const { signal } = new AbortController()
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
    await clientOf(server.url).calls.list({}, { signal })
    const before = timers()
    await Promise.all(Array.from({ length: 5 }, () => clientOf(server.url).calls.list({}, { signal })))
    expect(timers()).toBeLessThan(before + 5)
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  })
})

describe('a huge answer', () => {
  it('comes whole', async () => {
    const calls = Array.from({ length: 1000 }, (_, id) => ({
      id: String(id),
      transcript: 'x'.repeat(20_000),
    }))
    await using server = await startLocalServer((_, response) => json(response, 200, calls))
    expect(await clientOf(server.url).calls.list({ limit: 1000 })).toEqual(calls)
  })
})

describe('a slow answer', () => {
  it('may take its time within the limit of its own request', async () => {
    await using server = await startLocalServer((_, response) => {
      setTimeout(() => json(response, 200, []), 120)
    })
    const platform = clientOf(server.url, { timeoutMs: 20 })
    await expect(platform.calls.list({}, { timeoutMs: 10_000 })).resolves.toEqual([])
    await expect(platform.calls.list()).rejects.toMatchObject({ timeoutMs: 20 })
    await expect(platform.calls.list({}, { timeoutMs: 0 })).rejects.toThrow(TypeError)
  })
})

describe('a fetch that does not listen to its signal', () => {
  const deaf = (signal?: AbortSignal) =>
    new PlatformClient({ token: 't', fetch: () => new Promise(() => {}), timeoutMs: 30 }).calls.list(
      {},
      { signal },
    )

  it('is left at the time limit, and at an abort', async () => {
    await expect(deaf()).rejects.toBeInstanceOf(TimeoutError)
    const controller = new AbortController()
    const sent = deaf(controller.signal)
    controller.abort(new Error('changed my mind'))
    await expect(sent).rejects.toThrow('changed my mind')
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0)
  })

  it('may throw at once', async () => {
    const fetch = () => {
      throw new TypeError('no network here')
    }
    const sent = new PlatformClient({ token: 't', fetch, retries: 0 }).calls.list()
    await expect(sent).rejects.toBeInstanceOf(ConnectionError)
  })
})

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])('of a POST with %i is not followed', async (status) => {
    await using server = await startLocalServer((_, response) => {
      response.writeHead(status, { location: '/elsewhere' }).end()
    })
    const sent = clientOf(server.url).calls.create({ assistantId: 'a' })
    await expect(sent).rejects.toMatchObject({ code: 'invalid_response', status, message: /redirect/ })
    expect(server.requests).toHaveLength(1)
  })

  it('of a GET is followed', async () => {
    await using server = await startLocalServer((_, response, count) =>
      count === 1 ? response.writeHead(307, { location: '/elsewhere' }).end() : json(response, 200, []),
    )
    expect(await clientOf(server.url).calls.list()).toEqual([])
    expect(server.requests[1]?.url).toBe('/elsewhere')
  })
})
