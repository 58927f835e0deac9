import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type OpenAiStandIn, startOpenAiStandIn } from '../../testing/openai-stand-in.js'
import { createOpenAiModel } from './openai-model.js'

let server: OpenAiStandIn
let sockets: Set<Socket | null>
beforeEach(async () => {
  sockets = new Set()
  server = await startOpenAiStandIn({ reply: ['Nine ', 'dollars.'] })
  server.script.intercept = (_, response) => {
    sockets.add(response.socket)
    return false
  }
})
afterEach(() => server.close())

async function reply(signal = new AbortController().signal): Promise<string> {
  let words = ''
  const model = createOpenAiModel({ url: server.url, name: 'any' })
  for await (const piece of model.reply([{ role: 'user', content: 'What is it?' }], { signal, model: 'any' }))
    words += piece
  return words
}

/** Answers by hand: what is written before the end mark, with it, and after it. */
function answerWith(after: (response: ServerResponse) => void) {
  server.script.intercept = (_, response) => {
    sockets.add(response.socket)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const piece = { choices: [{ delta: { content: 'Nine dollars.' }, finish_reason: 'stop' }] }
    response.write(`data: ${JSON.stringify(piece)}\n\ndata: [DONE]\n\n`)
    after(response)
    return true
  }
}

describe('the connection of a reply', () => {
  it('serves the next replies, too', async () => {
    for (let turn = 0; turn < 5; turn += 1) {
      expect(await reply()).toBe('Nine dollars.')
      await delay(20)
    }
    expect(sockets.size).toBe(1)
  })

  it('serves the next where the end comes after the mark', async () => {
    answerWith((response) => void setTimeout(() => response.end(), 50))
    expect(await reply()).toBe('Nine dollars.')
    await delay(150)
    expect(await reply()).toBe('Nine dollars.')
    expect(sockets.size).toBe(1)
  })

  it('is closed where no end comes, while the reply is long over', async () => {
    answerWith(() => {})
    expect(await reply()).toBe('Nine dollars.')
    const [socket] = sockets
    expect(socket?.destroyed).toBe(false)
    await expect.poll(() => socket?.destroyed, { timeout: 5_000 }).toBe(true)
  })

  it('is closed where far too much comes after the end', async () => {
    answerWith((response) => response.write(Buffer.alloc(200_000, ' ')))
    expect(await reply()).toBe('Nine dollars.')
    const [socket] = sockets
    await expect.poll(() => socket?.destroyed, { timeout: 900 }).toBe(true)
  })

  it('is closed at once when nobody wants the reply any more', async () => {
    server.script.modelMs = 60_000
    const over = new AbortController()
    const asked = reply(over.signal)
    await expect.poll(() => sockets.size).toBe(1)
    over.abort(new Error('interrupted'))
    await expect(asked).rejects.toThrow('interrupted')
    await server.brokenOff
  })
})
