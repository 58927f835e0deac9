import type { ServerResponse } from 'node:http'
import { levelOf } from '@heyline/room-protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readWav } from '../../audio/wav.js'
import { type OpenAiStandIn, startOpenAiStandIn } from '../../testing/openai-stand-in.js'
import { EngineError } from '../engine.js'
import { describeModel } from '../model.contract.js'
import { describeTranscriber } from '../transcriber.contract.js'
import { describeVoice } from '../voice.contract.js'
import { createOpenAiModel } from './openai-model.js'
import { createOpenAiTranscriber } from './openai-transcriber.js'
import { createOpenAiVoice } from './openai-voice.js'

describeTranscriber('the OpenAI transcriber', async () => {
  const server = await startOpenAiStandIn()
  return { transcriber: createOpenAiTranscriber({ url: server.url }), close: server.close }
})
describeModel('the OpenAI model', async () => {
  const server = await startOpenAiStandIn()
  return { model: createOpenAiModel({ url: server.url }), close: server.close }
})
describeVoice('the OpenAI voice', async () => {
  const server = await startOpenAiStandIn()
  return { voice: createOpenAiVoice({ url: server.url }), close: server.close }
})

const key = 'sk-very-secret'
const speech = Int16Array.from({ length: 8000 }, (_, n) => n)
let server: OpenAiStandIn
beforeEach(async () => {
  server = await startOpenAiStandIn()
})
afterEach(() => server.close())

const engines = (options: { name?: string; silenceMs?: number; url?: string } = {}) => {
  const all = { url: server.url, key, ...options }
  const transcriber = createOpenAiTranscriber(all)
  const model = createOpenAiModel(all)
  const voice = createOpenAiVoice(all)
  return {
    transcribe: (signal = new AbortController().signal) => transcriber.transcribe(speech, { signal }),
    reply: async (
      signal = new AbortController().signal,
      options: { model?: string; maxTokens?: number } = {},
    ) => {
      let text = ''
      const messages = [{ role: 'user', content: 'What does it cost?' } as const]
      for await (const piece of model.reply(messages, { signal, model: 'gpt-4o-mini', ...options }))
        text += piece
      return text
    },
    speak: async (signal = new AbortController().signal) => {
      const samples: number[] = []
      for await (const piece of voice.speak('It costs nine dollars.', { signal })) samples.push(...piece)
      return Int16Array.from(samples)
    },
  }
}
type Work = 'transcribe' | 'reply' | 'speak'
const WORK: Work[] = ['transcribe', 'reply', 'speak']
const sent = (index = 0) => JSON.parse(server.requests[index]?.body.toString() ?? '')

describe('on the wire', () => {
  it('the transcriber uploads a WAV file', async () => {
    expect(await engines().transcribe()).toEqual({ text: 'What does it cost?', durationMs: 500 })
    const [request] = server.requests
    expect(request).toMatchObject({ path: '/v1/audio/transcriptions', authorization: `Bearer ${key}` })
    const form = await new Response(new Uint8Array(request?.body ?? []), {
      headers: { 'content-type': request?.contentType ?? '' },
    }).formData()
    expect(form.get('model')).toBe('whisper-1')
    const file = form.get('file')
    if (!(file instanceof File)) throw new Error('no file')
    expect(file.name).toBe('speech.wav')
    expect(readWav(new Uint8Array(await file.arrayBuffer()))).toEqual({ samples: speech, sampleRate: 16_000 })
  })

  it('the model streams chat completions', async () => {
    const text = await engines().reply(undefined, { maxTokens: 250 })
    expect(text).toBe('Sure. It costs forty nine dollars a month. Shall I book a visit?')
    expect(sent()).toEqual({
      model: 'gpt-4o-mini',
      messages: [{ role: 'user', content: 'What does it cost?' }],
      stream: true,
      max_tokens: 250,
    })
    expect(server.requests[0]).toMatchObject({ path: '/v1/chat/completions', authorization: `Bearer ${key}` })
  })

  it('the voice asks for PCM and plays 24 kHz at 16 kHz', async () => {
    const samples = await engines().speak()
    expect(sent()).toEqual({
      model: 'tts-1',
      voice: 'alloy',
      input: 'It costs nine dollars.',
      response_format: 'pcm',
    })
    const seconds = 'It costs nine dollars.'.length * 0.065
    expect(samples.length / 16_000).toBeCloseTo(seconds, 2)
    expect(levelOf(samples.subarray(100, -100))).toBeCloseTo(8000 / 32_768 / Math.SQRT2, 2)
    let crossings = 0
    for (let n = 1; n < samples.length; n += 1)
      if ((samples[n - 1] ?? 0) < 0 && (samples[n] ?? 0) >= 0) crossings += 1
    expect(crossings / seconds).toBeCloseTo(220, -1)
  })

  it('the configured name goes before the one that the call names', async () => {
    await engines({ name: 'llama3.2' }).reply()
    expect(sent()).toMatchObject({ model: 'llama3.2' })
    await engines({ name: 'kokoro' }).speak()
    expect(sent(1)).toMatchObject({ model: 'kokoro' })
  })

  it('without a key no header is sent, and a slash at the end of the URL does not matter', async () => {
    const { signal } = new AbortController()
    await createOpenAiTranscriber({ url: `${server.url}/` }).transcribe(speech, { signal })
    expect(server.requests[0]).toMatchObject({ path: '/v1/audio/transcriptions', authorization: undefined })
  })
})

describe('the model', () => {
  const answer = (type: string, body: string) => {
    server.script.intercept = (_, response) => {
      response.writeHead(200, { 'content-type': type })
      response.end(body)
      return true
    }
  }
  const piece = (content: string, finish_reason: string | null = null) =>
    `data: ${JSON.stringify({ choices: [{ delta: { content }, finish_reason }] })}\n\n`

  it('takes an answer in one piece', async () => {
    answer('application/json', JSON.stringify({ choices: [{ message: { content: 'Nine dollars.' } }] }))
    expect(await engines().reply()).toBe('Nine dollars.')
  })

  it('takes a stream that ends without [DONE]', async () => {
    answer('text/event-stream', piece('Nine') + piece(' dollars.', 'stop'))
    expect(await engines().reply()).toBe('Nine dollars.')
  })

  it.each([
    ['breaks off', () => piece('Nine'), 'broke off'],
    [
      'reports an error',
      () => `data: ${JSON.stringify({ error: { message: key } })}\n\n`,
      'reported an error',
    ],
    ['speaks another language', () => 'data: hello\n\n', 'no chat completion'],
  ])('rejects a stream that %s', async (_, body, message) => {
    answer('text/event-stream', body())
    await expect(engines().reply()).rejects.toThrow(message)
    await expect(engines().reply()).rejects.toBeInstanceOf(EngineError)
  })

  it('needs a name from somewhere', async () => {
    const model = createOpenAiModel({ url: server.url })
    const reply = model.reply([], { signal: new AbortController().signal })[Symbol.asyncIterator]()
    await expect(reply.next()).rejects.toThrow('names a model')
  })
})

describe('the voice', () => {
  it.each([
    ['audio/mpeg', 'ID3'],
    ['application/json', '{}'],
    ['audio/pcm', ''],
  ])('refuses %s %j', async (type, body) => {
    server.script.intercept = (_, response) => {
      response.writeHead(200, { 'content-type': type })
      response.end(body)
      return true
    }
    await expect(engines().speak()).rejects.toBeInstanceOf(EngineError)
  })

  it('drops half a sample at the end', async () => {
    server.script.intercept = (_, response) => {
      response.writeHead(200, { 'content-type': 'audio/pcm' })
      response.end(Buffer.alloc(4801))
      return true
    }
    expect(await engines().speak()).toHaveLength(1600 + 12)
  })
})

describe.each(WORK)('what goes wrong: %s', (work) => {
  const refuse = (status: number, body: string) => {
    server.script.intercept = (_: string, response: ServerResponse) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(body)
      return true
    }
  }

  it('a refusal names status and code, and no key', async () => {
    refuse(401, JSON.stringify({ error: { message: `Incorrect key ${key}`, code: 'invalid_api_key' } }))
    const error = await engines()
      [work]()
      .catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(EngineError)
    expect(String(error)).toContain('401 (invalid_api_key)')
    expect(`${error} ${JSON.stringify(error)}`).not.toContain(key)
  })

  it('a refusal without a code is told too', async () => {
    refuse(503, '<html>down</html>')
    await expect(engines()[work]()).rejects.toThrow(/answered 503$/)
  })

  it.each([302, 307, 308])('a redirect to another server is not followed (%d)', async (status) => {
    const other = await startOpenAiStandIn()
    server.script.intercept = (path, response) => {
      response.writeHead(status, { location: other.url.replace('/v1', path) })
      response.end()
      return true
    }
    await expect(engines()[work]()).rejects.toThrow(`redirects (${status})`)
    expect(other.requests).toEqual([])
    await other.close()
  })

  it('a redirect within the server is followed once, with the key', async () => {
    server.script.intercept = (_, response) => {
      response.writeHead(307, { location: `/again/${server.requests.length}` })
      response.end()
      return true
    }
    await expect(engines()[work]()).rejects.toThrow('answered 307')
    const [asked, again] = server.requests
    expect(again).toEqual({ ...asked, path: '/again/1', body: again?.body, contentType: again?.contentType })
    expect(server.requests).toHaveLength(2)
  })

  it('nobody there', async () => {
    const { url } = server
    await server.close()
    await expect(engines({ url })[work]()).rejects.toThrow('could not be reached')
    server = await startOpenAiStandIn()
  })

  it('a server that says nothing is given up', async () => {
    server.script.intercept = () => true
    await expect(engines({ silenceMs: 50 })[work]()).rejects.toThrow('silent for 50 ms')
    await server.brokenOff
  })

  it('a server that begins and then says nothing is given up', async () => {
    server.script.intercept = (_, response) => {
      response.writeHead(200, { 'content-type': work === 'speak' ? 'audio/pcm' : 'text/event-stream' })
      response.write(Buffer.alloc(100, 10))
      return true
    }
    await expect(engines({ silenceMs: 50 })[work]()).rejects.toThrow('silent for 50 ms')
  })

  it('an abort ends the request, with its reason', async () => {
    const controller = new AbortController()
    const reason = new Error('interrupted')
    server.script.intercept = () => {
      controller.abort(reason)
      return true
    }
    await expect(engines()[work](controller.signal)).rejects.toBe(reason)
    await server.brokenOff
  })
})
