import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { createDeepgramTranscriber } from '../deepgram/deepgram-transcriber.js'
import { createDeepgramVoice } from '../deepgram/deepgram-voice.js'
import { createElevenLabsVoice } from '../elevenlabs/elevenlabs-voice.js'

const { signal } = new AbortController()
const listener = () => ({ onPartial: vi.fn(), onPause: vi.fn(), onEndOfTurn: vi.fn() })

let server: WebSocketServer
let url: string
/** What the server does once it was asked for something. */
let serve: (socket: WebSocket) => void
beforeEach(async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  server.on('connection', (socket) => {
    socket.on('error', () => {})
    socket.once('message', () => serve(socket))
  })
  await once(server, 'listening')
  url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(async () => {
  vi.restoreAllMocks()
  for (const socket of server.clients) socket.terminate()
  await new Promise((resolve) => server.close(resolve))
})

const unknown = (bytes: number) => JSON.stringify({ type: 'Metadata', text: 'x'.repeat(bytes) })
const results = (alternatives: unknown[]) =>
  JSON.stringify({ type: 'Results', start: 0, duration: 2, is_final: true, channel: { alternatives } })

describe('a transcriber that sends too much', () => {
  const transcribe = () =>
    createDeepgramTranscriber({ url, silenceMs: 5_000 }).transcribe(new Int16Array(16_000), { signal })

  it('in one message, is given up', async () => {
    serve = (socket) => socket.send(unknown(300_000))
    await expect(transcribe()).rejects.toThrow('a message of the server is longer than 256000 bytes')
  })

  it('in many, is given up', async () => {
    serve = (socket) => {
      for (let count = 0; count < 12; count += 1) socket.send(unknown(250_000))
    }
    await expect(transcribe()).rejects.toThrow('too many bytes')
  })

  it('in pings, is given up', async () => {
    serve = (socket) => {
      for (let count = 0; count < 8_000; count += 1) socket.ping()
    }
    // `ws` ends such a connection by itself where its answers can't be written fast enough.
    await expect(transcribe()).rejects.toThrow(/too many messages|closed the connection/)
  })

  it('in values of one message, has it not even parsed', async () => {
    serve = (socket) => {
      socket.send(results(Array(40_000).fill(0)))
      socket.send(results([{ transcript: 'Hello.' }]))
    }
    const parse = vi.spyOn(JSON, 'parse')
    expect((await transcribe()).text).toBe('Hello.')
    expect(parse.mock.calls.filter(([text]) => String(text).length > 10_000)).toEqual([])
  })

  it('in alternatives, is heard by the first', async () => {
    serve = (socket) => socket.send(results([{ transcript: 'Hello.' }, 0, 0]))
    expect((await transcribe()).text).toBe('Hello.')
  })

  it('is none where it sends the times of all words several times a second', async () => {
    const words = Array.from({ length: 250 }, (_, n) => ({
      ...{ word: 'word', punctuated_word: 'Word.', start: n / 4, end: n / 4 + 0.2, confidence: 0.998_046_9 },
    }))
    const transcript = words.map(({ word }) => word).join(' ')
    serve = (socket) => {
      for (let count = 0; count < 60; count += 1) socket.send(results([{ transcript, words }]))
    }
    const events = listener()
    const stream = createDeepgramTranscriber({ url, silenceMs: 5_000 }).open?.(events)
    stream?.write(new Int16Array(16_000))
    expect(await stream?.settle({ signal })).toBe(transcript)
    stream?.close()
  })
})

describe('a voice that sends too much', () => {
  async function speak(voice = createDeepgramVoice({ url, silenceMs: 5_000 })) {
    let samples = 0
    try {
      for await (const piece of voice.speak('Good morning.', { signal })) samples += piece.length
    } finally {
      voice.close?.()
    }
    return samples
  }

  it('in messages, is given up', async () => {
    serve = (socket) => {
      for (let count = 0; count < 20_000; count += 1) socket.send('{"type":"Metadata"}')
    }
    await expect(speak()).rejects.toThrow('too many messages')
  })

  it('in bytes, is given up', async () => {
    serve = (socket) => {
      for (let count = 0; count < 12; count += 1) socket.send(unknown(2_000_000))
    }
    await expect(speak()).rejects.toThrow('too many bytes')
  })

  it('and no audio, is silent', async () => {
    serve = (socket) => {
      let count = 0
      const timer = setInterval(() => {
        count += 1
        socket.send(count % 2 === 0 ? '{"type":"Metadata"}' : Buffer.alloc(0))
        if (count < 100) return
        clearInterval(timer)
        socket.send(Buffer.alloc(3_200))
        socket.send('{"type":"Flushed"}')
      }, 20)
      socket.on('close', () => clearInterval(timer))
    }
    await expect(speak(createDeepgramVoice({ url, silenceMs: 300 }))).rejects.toThrow('silent for 300 ms')
  })

  it('in one piece of audio, is given up before that is copied', async () => {
    serve = (socket) => {
      socket.send(Buffer.alloc(1))
      socket.send(Buffer.alloc(5_999_999))
    }
    const copy = vi.spyOn(Uint8Array, 'from')
    await expect(speak()).rejects.toThrow('the speech is longer than two minutes')
    expect(copy).not.toHaveBeenCalled()
  })

  it('is none where it sends a minute of speech at once, with the times of all letters', async () => {
    const letters = Array(1_000).fill('a')
    const times = letters.map((_, n) => n * 60)
    const alignment = { chars: letters, charStartTimesMs: times, charDurationsMs: times }
    const audio = Buffer.alloc(2 * 60 * 16_000).toString('base64')
    serve = (socket) => {
      socket.send(JSON.stringify({ audio, alignment, normalizedAlignment: alignment }))
      socket.send(JSON.stringify({ isFinal: true }))
    }
    expect(await speak(createElevenLabsVoice({ url, silenceMs: 5_000 }))).toBe(60 * 16_000)
  })

  it('is none where it sends two minutes at once in pieces of 20 ms', async () => {
    serve = (socket) => {
      for (let count = 0; count < 6_000; count += 1) socket.send(Buffer.alloc(640))
      socket.send('{"type":"Flushed"}')
    }
    expect(await speak()).toBe(120 * 16_000)
  })
})
