import { getEventListeners, once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { ConnectionError, PlatformClient, PlatformError, TimeoutError } from '../index.js'
import { collect } from '../testing/collect.js'
import { json, startLocalServer } from '../testing/local-server.js'

const startStream = (write: (response: ServerResponse) => void) =>
  startLocalServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
    write(response)
  })
const clientOf = (baseUrl: string, options = {}) => new PlatformClient({ token: 't', baseUrl, ...options })
const delta = (text: string) => ({ id: 'chat-1', path: 'chat.output[0].content', delta: text })
const line = (text: string) => `data: ${JSON.stringify(delta(text))}\n\n`
const input = { assistantId: 'a', input: 'Hello' }

describe('a streamed chat', () => {
  it('gives each event as it comes, however its bytes are cut', async () => {
    const bytes = Buffer.from(line('Grüße, ') + line('日本 🙂') + line('.'))
    await using server = await startStream(async (response) => {
      for (const byte of bytes) {
        response.write(Buffer.of(byte))
        await turn()
      }
      response.end()
    })
    expect(await collect(clientOf(server.url).chats.stream(input))).toEqual([
      delta('Grüße, '),
      delta('日本 🙂'),
      delta('.'),
    ])
  })

  it('gives an event before the next one is there', async () => {
    let open: ServerResponse | undefined
    await using server = await startStream((response) => {
      open = response
      response.write(line('one'))
    })
    const events = clientOf(server.url).chats.stream(input)
    expect((await events.next()).value).toEqual(delta('one'))
    open?.end(line('two'))
    expect((await events.next()).value).toEqual(delta('two'))
    expect((await events.next()).done).toBe(true)
  })

  it('ends at the mark of the end', async () => {
    await using server = await startStream((response) => response.write(`${line('one')}data: [DONE]\n\n`))
    expect(await collect(clientOf(server.url).chats.stream(input))).toEqual([delta('one')])
  })

  it('sends nothing before the first event is taken', async () => {
    await using server = await startStream((response) => response.end())
    const events = clientOf(server.url).chats.stream(input)
    await turn()
    expect(server.requests).toHaveLength(0)
    expect(await collect(events)).toEqual([])
    expect(server.requests).toHaveLength(1)
  })

  it('cancels the request when the loop is left', async () => {
    let closed: Promise<unknown> | undefined
    await using server = await startStream((response) => {
      closed = once(response, 'close')
      response.write(line('one'))
    })
    const { signal } = new AbortController()
    for await (const _ of clientOf(server.url).chats.stream(input, { signal })) break
    await closed
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  })

  it("rejects with the signal's reason when it is aborted, and closes the connection", async () => {
    let closed: Promise<unknown> | undefined
    await using server = await startStream((response) => {
      closed = once(response, 'close')
      response.write(line('one'))
    })
    const controller = new AbortController()
    const events = clientOf(server.url).chats.stream(input, { signal: controller.signal })
    await events.next()
    const next = events.next()
    controller.abort()
    await expect(next).rejects.toMatchObject({ name: 'AbortError' })
    await closed
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0)
  })

  it('is not sent when the signal is aborted already', async () => {
    await using server = await startStream((response) => response.end())
    const signal = AbortSignal.abort(new Error('not now'))
    await expect(collect(clientOf(server.url).chats.stream(input, { signal }))).rejects.toThrow('not now')
    expect(server.requests).toHaveLength(0)
  })

  it('tells of a connection that was cut', async () => {
    await using server = await startStream((response) => {
      response.write(line('one'), () => response.destroy())
    })
    const error = await collect(clientOf(server.url).chats.stream(input)).catch((caught) => caught)
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error).toMatchObject({ method: 'POST', path: '/chat', neverSent: false })
  })

  it('bounds each silence, and not the whole stream', async () => {
    await using server = await startStream(async (response) => {
      for (const text of ['one', 'two', 'three', 'four', 'five']) {
        response.write(line(text))
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    })
    const seen: unknown[] = []
    const read = async () => {
      for await (const event of clientOf(server.url, { timeoutMs: 400 }).chats.stream(input)) seen.push(event)
    }
    await expect(read()).rejects.toBeInstanceOf(TimeoutError)
    expect(seen).toHaveLength(5)
  })

  it('does not count the time that its reader takes', async () => {
    await using server = await startStream((response) =>
      response.end(line('one') + line('two') + line('three')),
    )
    const seen: unknown[] = []
    for await (const event of clientOf(server.url, { timeoutMs: 100 }).chats.stream(input)) {
      seen.push(event)
      await new Promise((resolve) => setTimeout(resolve, 150))
    }
    expect(seen).toHaveLength(3)
  })

  it.each(['in one piece', 'in several, all read by the time'])(
    'stops at once when it is aborted: %s',
    async (how) => {
      await using server = await startStream(async (response) => {
        for (const text of ['one', 'two', 'three']) {
          response.write(line(text))
          if (how !== 'in one piece') await turn()
        }
        response.end('data: [DONE]\n\n')
      })
      const controller = new AbortController()
      const events = clientOf(server.url).chats.stream(input, { signal: controller.signal })
      await events.next()
      await new Promise((resolve) => setTimeout(resolve, 50))
      controller.abort()
      await expect(events.next()).rejects.toMatchObject({ name: 'AbortError' })
    },
  )

  it('is sent once, and rejects with the error of the platform', async () => {
    await using server = await startLocalServer((_, response) =>
      json(response, 503, { message: 'busy' }, { 'retry-after': '0' }),
    )
    const error = await collect(clientOf(server.url).chats.stream(input)).catch((caught) => caught)
    expect(error).toBeInstanceOf(PlatformError)
    expect(error).toMatchObject({ status: 503, message: 'busy' })
    expect(server.requests).toHaveLength(1)
  })

  it('closes the connection of an answer that is no stream', async () => {
    let closed: Promise<unknown> | undefined
    await using server = await startLocalServer((_, response) => {
      closed = once(response, 'close')
      response.writeHead(200, { 'content-type': 'application/json' }).write('{')
    })
    await expect(collect(clientOf(server.url).chats.stream(input))).rejects.toThrow('no event stream')
    await closed
  })

  it('refuses an answer that is no stream', async () => {
    await using server = await startLocalServer((_, response) => json(response, 201, { id: 'chat-1' }))
    await expect(collect(clientOf(server.url).chats.stream(input))).rejects.toMatchObject({
      code: 'invalid_response',
    })
  })

  it('refuses an event that is not JSON, and does not show it', async () => {
    await using server = await startStream((response) => response.end('data: {"delta": "a secret\n\n'))
    const error = await collect(clientOf(server.url).chats.stream(input)).catch((caught) => caught)
    expect(error).toMatchObject({ code: 'invalid_response' })
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toMatch(/secret/)
  })
})
