import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type OpenAiStandIn, startOpenAiStandIn } from '../../testing/openai-stand-in.js'
import { EngineError } from '../engine.js'
import { EngineRefusal } from './exchange.js'
import { createOpenAiModel } from './openai-model.js'
import { createOpenAiTranscriber } from './openai-transcriber.js'

let server: OpenAiStandIn
beforeEach(async () => {
  server = await startOpenAiStandIn()
})
afterEach(async () => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  await server.close()
})

const { signal } = new AbortController()
async function reply(): Promise<string> {
  let text = ''
  for await (const piece of createOpenAiModel({ url: server.url }).reply([], { signal, model: 'any' }))
    text += piece
  return text
}
const transcribe = () =>
  createOpenAiTranscriber({ url: server.url }).transcribe(new Int16Array(1_600), { signal })

/** Every request is answered with this. */
function answer(type: 'application/json' | 'text/event-stream', body: string) {
  server.script.intercept = (_, response) => {
    response.writeHead(200, { 'content-type': type })
    response.end(body)
    return true
  }
}
const refusal = (message: string, status = 500) => new EngineRefusal('any', status, { error: { message } })

describe('an error of the server', () => {
  it('is looked at as far as anybody writes who says what is wrong', () => {
    expect(refusal('tools: this model requires another').namesTools).toBe(true)
    expect(refusal('requires a GPU; tool').namesTools).toBe(false)
    expect(refusal(`tool ${'x'.repeat(3_000)} is not supported`).namesTools).toBe(false)
    expect(refusal(`${'x'.repeat(3_000)} tools`, 400).namesTools).toBe(false)
    expect(
      refusal(`${'x'.repeat(3_000)} Unsupported parameter: 'max_tokens'`, 400).unsupported,
    ).toBeUndefined()
  })

  it('may have any value in any field', () => {
    const param = { toString: 0, valueOf: 0 }
    expect(new EngineRefusal('any', 400, { error: { param, message: 5 } }).unsupported).toBeUndefined()
  })

  it('is read no further than its words may reach', async () => {
    let bytes = 0
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        bytes += 8_000
        controller.enqueue(new Uint8Array(8_000).fill(32))
      },
    })
    vi.stubGlobal('fetch', async () => new Response(endless, { status: 500 }))
    await expect(reply()).rejects.toThrow('the server answered 500')
    expect(bytes).toBeLessThan(100_000)
  })
})

describe('an answer', () => {
  const many = (value: string) => Array(30_000).fill(value).join(',')

  it.each([
    ['a whole reply', 'application/json', `{"choices":[${many('0')}]}`, reply],
    ['an event', 'text/event-stream', `data: {"choices":[${many('{}')}]}\n\n`, reply],
    ['a transcription', 'application/json', `{"text":"Hello.","words":[${many('[]')}]}`, transcribe],
  ] as const)('is not even parsed where %s has far too many values', async (_, type, body, ask) => {
    answer(type, body)
    const parse = vi.spyOn(JSON, 'parse')
    await expect(ask()).rejects.toThrow(EngineError)
    expect(parse.mock.calls.filter(([text]) => String(text).length > 10_000)).toEqual([])
  })

  it('is longer than any text of a turn', async () => {
    answer('application/json', JSON.stringify({ text: 'x'.repeat(1_100_000) }))
    await expect(transcribe()).rejects.toThrow('the answer is longer than 1000000 bytes')
  })

  it('counts by its first choice', async () => {
    answer('application/json', '{"choices":[{"message":{"content":"Nine."},"finish_reason":"stop"},0,0]}')
    expect(await reply()).toBe('Nine.')
  })

  it('of another kind for a transcription, with the times of all words of two minutes, is taken', async () => {
    const words = Array.from({ length: 500 }, (_, n) => ({
      word: 'word',
      start: n,
      end: n + 1,
      probability: 0.9,
    }))
    const segment = { id: 0, seek: 0, start: 0, end: 2, text: 'word', avg_logprob: -0.1, no_speech_prob: 0.1 }
    const segments = Array.from({ length: 80 }, () => ({ ...segment, tokens: Array(20).fill(50_364) }))
    answer('application/json', JSON.stringify({ task: 'transcribe', text: 'word', segments, words }))
    expect((await transcribe()).text).toBe('word')
  })
})
