import { SAMPLE_RATE } from '@heyline/room-protocol'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type StreamingStandIn, startStreamingStandIn } from '../testing/streaming-stand-in.js'
import { startWyomingStandIn, type WyomingStandIn } from '../testing/wyoming-stand-in.js'
import { createDeepgramTranscriber } from './deepgram/deepgram-transcriber.js'
import { createDeepgramVoice } from './deepgram/deepgram-voice.js'
import { createElevenLabsTranscriber } from './elevenlabs/elevenlabs-transcriber.js'
import { createElevenLabsVoice } from './elevenlabs/elevenlabs-voice.js'
import { EngineError } from './engine.js'
import { synthesize } from './flite/synthesize.js'
import { createOpenAiRealtimeTranscriber } from './openai-realtime/openai-realtime-transcriber.js'
import { describeTranscriber } from './transcriber.contract.js'
import { describeVoice } from './voice.contract.js'
import { createWyomingTranscriber } from './wyoming/wyoming-transcriber.js'
import { createWyomingVoice } from './wyoming/wyoming-voice.js'

const TRANSCRIBERS = {
  deepgram: createDeepgramTranscriber,
  'openai realtime': ({ url, ...rest }: { url: string; key: string; silenceMs: number }) =>
    createOpenAiRealtimeTranscriber({ ...rest, url: `${url}/v1` }),
  elevenlabs: createElevenLabsTranscriber,
}
const VOICES = { deepgram: createDeepgramVoice, elevenlabs: createElevenLabsVoice }
const options = { key: 'secret-key', silenceMs: 150 }
/** Only servers that say nothing of use are waited for: a loaded machine takes longer than that to tell the other faults. */
const faulty = (fault: string) =>
  fault === 'silent' || fault === 'garbage' ? options : { ...options, silenceMs: 5_000 }

for (const [name, create] of Object.entries(TRANSCRIBERS))
  describeTranscriber(name, async () => {
    const { url, close } = await startStreamingStandIn()
    return { transcriber: create({ ...options, url, silenceMs: 2000 }), close }
  })
for (const [name, create] of Object.entries(VOICES))
  describeVoice(name, async () => {
    const { url, close } = await startStreamingStandIn()
    const voice = create({ ...options, url, silenceMs: 2000 })
    return {
      voice,
      close: async () => {
        voice.close?.()
        await close()
      },
    }
  })
describeTranscriber('wyoming', async () => {
  const { url, close } = await startWyomingStandIn()
  return { transcriber: createWyomingTranscriber({ url }), close }
})
describeVoice('wyoming', async () => {
  const { url, close } = await startWyomingStandIn()
  return { voice: createWyomingVoice({ url, name: 'en_US-amy' }), close }
})

const { signal } = new AbortController()
const speech = synthesize('What does it cost?')
const listener = () => ({ onPartial: vi.fn(), onPause: vi.fn(), onEndOfTurn: vi.fn() })
let server: StreamingStandIn
beforeEach(async () => {
  server = await startStreamingStandIn()
})
afterEach(() => server.close())

const FAULTS = [
  ['refuse', '401'],
  ['cut', 'closed the connection (1011)'],
  ['garbage', /another protocol|silent for|no final words/],
  ['silent', /no final words|silent for/],
  ['error', 'the server reports'],
] as const

describe.each(Object.entries(TRANSCRIBERS))('%s', (_, create) => {
  it.each(FAULTS)('fails with what happened, and without its key: %s', async (fault, message) => {
    server.script.fault = fault
    const work = create({ ...faulty(fault), url: server.url }).transcribe(speech, { signal })
    await expect(work).rejects.toThrow(EngineError)
    await expect(work).rejects.toThrow(message)
    await expect(work).rejects.not.toThrow('secret-key')
    await vi.waitFor(() => expect(server.connections.every(({ isClosed }) => isClosed)).toBe(true))
  })

  it('is given up where it floods us with messages', async () => {
    server.script.fault = 'flood'
    const work = create({ ...options, url: server.url, silenceMs: 5_000 }).transcribe(speech, { signal })
    await expect(work).rejects.toThrow('the server sends too many messages')
  })

  it('hears a turn while it is spoken, at each pause all words so far', async () => {
    const events = listener()
    const stream = create({ ...options, url: server.url, silenceMs: 2000 }).open?.(events)
    stream?.write(speech)
    stream?.write(new Int16Array(SAMPLE_RATE / 5))
    expect(await stream?.settle({ signal })).toBe('What does it cost?')
    expect(events.onPartial).toHaveBeenLastCalledWith('What does it cost?')
    stream?.write(speech)
    stream?.write(new Int16Array(SAMPLE_RATE / 5))
    expect(await stream?.settle({ signal })).toBe('What does it cost? What does it cost?')
    // Nothing was said since.
    expect(await stream?.settle({ signal })).toBe('What does it cost? What does it cost?')
    stream?.close()
    await expect(stream?.settle({ signal })).rejects.toThrow('closed')
    await vi.waitFor(() => expect(server.connections[0]?.isClosed).toBe(true))
  })

  it('takes what comes after an abort for what it is: words of the same turn', async () => {
    server.script.finalMs = 30
    const stream = create({ ...options, url: server.url, silenceMs: 2000 }).open?.(listener())
    const controller = new AbortController()
    stream?.write(speech)
    stream?.write(new Int16Array(SAMPLE_RATE / 5))
    const left = stream?.settle({ signal: controller.signal })
    controller.abort(new Error('the caller goes on'))
    await expect(left).rejects.toThrow('the caller goes on')
    expect(await stream?.settle({ signal })).toBe('What does it cost?')
    stream?.close()
  })

  it('is connected before the turn, which then goes over that connection', async () => {
    const transcriber = create({ ...options, url: server.url, silenceMs: 2000 })
    const waiting = transcriber.openAhead?.()
    await vi.waitFor(() => expect(server.connections).toHaveLength(1))
    const events = listener()
    const stream = waiting?.listen(events)
    stream?.write(speech)
    stream?.write(new Int16Array(SAMPLE_RATE / 5))
    expect(await stream?.settle({ signal })).toBe('What does it cost?')
    expect(events.onPartial).toHaveBeenLastCalledWith('What does it cost?')
    expect(server.connections).toHaveLength(1)
    stream?.close()
    transcriber.openAhead?.()?.close()
    const broken = transcriber.openAhead?.()
    await vi.waitFor(() => expect(server.connections).toHaveLength(2))
    await server.close()
    await vi.waitFor(() => expect(broken?.listen(events)).toBeUndefined())
    broken?.close()
  })

  it('takes a very long transcript', async () => {
    server.script.transcript = 'word '.repeat(4_000).trim()
    const heard = await create({ ...options, url: server.url, silenceMs: 2000 }).transcribe(speech, {
      signal,
    })
    expect(heard.text).toBe(server.script.transcript)
  })
})

it('puts items that are completed out of order in the order of their commits', async () => {
  server.script.fault = 'out-of-order'
  const stream = createOpenAiRealtimeTranscriber({ url: `${server.url}/v1`, silenceMs: 2000 }).open?.(
    listener(),
  )
  const controller = new AbortController()
  stream?.write(speech)
  const left = stream?.settle({ signal: controller.signal })
  controller.abort(new Error('the caller goes on'))
  await expect(left).rejects.toThrow('goes on')
  stream?.write(speech)
  expect(await stream?.settle({ signal })).toBe('Words of item-1. Words of item-2.')
  stream?.close()
})

it('deepgram tells a pause by itself, and is then asked for nothing', async () => {
  const events = listener()
  const stream = createDeepgramTranscriber({ url: server.url }).open?.(events)
  stream?.write(speech)
  await vi.waitFor(() => expect(events.onPause).toHaveBeenCalledOnce())
  expect(await stream?.settle({ signal })).toBe('What does it cost?')
  expect(server.connections[0]?.messages).toEqual([])
  stream?.close()
  const { url, headers } = server.connections[0] ?? {}
  expect(url?.searchParams.get('encoding')).toBe('linear16')
  expect(headers?.authorization).toBeUndefined()
})

describe.each(Object.entries(VOICES))('the voice of %s', (_, create) => {
  const speak = async (voice: ReturnType<typeof create>, text: string, by = signal) => {
    let samples = 0
    for await (const piece of voice.speak(text, { signal: by })) samples += piece.length
    return samples
  }

  it.each(FAULTS)('fails with what happened, and without its key: %s', async (fault, message) => {
    server.script.fault = fault
    const work = speak(create({ ...faulty(fault), url: server.url }), 'Good morning.')
    await expect(work).rejects.toThrow(EngineError)
    await expect(work).rejects.toThrow(message)
  })

  it('speaks sentence after sentence over one socket, and a broken-off one ends its socket', async () => {
    const voice = create({ ...options, url: server.url, silenceMs: 2000 })
    expect(await speak(voice, 'Good morning.')).toBe(await speak(voice, 'Good morning.'))
    expect(server.connections).toHaveLength(1)
    for await (const _ of voice.speak('How can I help you today?', { signal })) break
    await vi.waitFor(() => expect(server.connections[0]?.isClosed).toBe(true))
    expect(await speak(voice, 'Good morning.')).toBe(13 * 0.065 * SAMPLE_RATE)
    expect(server.connections).toHaveLength(2)
    voice.close?.()
    await vi.waitFor(() => expect(server.connections[1]?.isClosed).toBe(true))
  })
})

it('a refused key does not count as a refused speaker', async () => {
  const voice = createElevenLabsVoice({ url: server.url, silenceMs: 2000 })
  const onRefused = vi.fn()
  const speaker = voice.withSpeaker?.('nobody', onRefused) ?? voice
  server.script.fault = 'refuse'
  await expect(speaker.speak('Hello.', { signal })[Symbol.asyncIterator]().next()).rejects.toThrow('401')
  server.script.fault = undefined
  for await (const _ of speaker.speak('Hello.', { signal }));
  expect(onRefused).not.toHaveBeenCalled()
  voice.close?.()
})

describe('wyoming', () => {
  let wyoming: WyomingStandIn
  beforeEach(async () => {
    wyoming = await startWyomingStandIn()
  })
  afterEach(() => wyoming.close())

  it('sends the turn as events', async () => {
    await createWyomingTranscriber({ url: wyoming.url }).transcribe(speech, { signal })
    expect(wyoming.events.slice(0, 3)).toEqual(['transcribe', 'audio-start', 'audio-chunk'])
    expect(wyoming.events.at(-1)).toBe('audio-stop')
    expect(wyoming.audioBytes).toBe(speech.length * 2)
  })

  it.each([
    ['cut', /broke off|no text/],
    ['garbage', 'another protocol'],
    ['silent', 'silent for 150 ms'],
    ['error', 'the server reports an error'],
  ] as const)('fails with what happened: %s', async (fault, message) => {
    wyoming.script.fault = fault
    const work = createWyomingTranscriber({ url: wyoming.url, silenceMs: 150 }).transcribe(speech, { signal })
    await expect(work).rejects.toThrow(EngineError)
    await expect(work).rejects.toThrow(message)
  })
})
