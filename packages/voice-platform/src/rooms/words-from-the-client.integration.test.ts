import type { Db } from '@heyline/database'
import { bytesOf, MAX_WORDS_CHARACTERS, roomText } from '@heyline/room-protocol'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createOfflineTranscriber } from '../engines/offline/offline-transcriber.js'
import { type PlatformBench, startPlatform, type TestSocket } from '../testing/platform-bench.js'
import { openPlatformDb } from '../testing/platform-db.js'
import { ScriptedEngines } from '../testing/scripted-engines.js'
import { silence, vowel } from '../testing/session-bench.js'

let db: Db
let bench: PlatformBench
beforeAll(async () => {
  db = await openPlatformDb()
})
afterAll(() => db.close())
const start = async (callerWords: boolean) => {
  const { model, voice } = new ScriptedEngines()
  bench = await startPlatform(db, {
    engines: { transcriber: createOfflineTranscriber({ callerWords }), model, voice },
  })
}
afterEach(() => bench.close())

const join = async (assistant: object = {}) => {
  const call = await bench.client.calls.createWeb({ assistant })
  const url = call.webCallUrl ?? ''
  return { url, room: bench.openRoom(url) }
}
const came = (room: TestSocket, type: string) =>
  vi.waitFor(() => {
    const message = room.texts.find((text) => text.type === type)
    if (!message) throw new Error(`${type} has not come yet`)
    return message
  })
const tell = (room: TestSocket, text: string, isFinal: boolean) =>
  room.socket.send(roomText({ type: 'room.words', text, isFinal }))
const speak = (room: TestSocket, samples: Int16Array) => {
  for (let at = 0; at < samples.length; at += 320) room.socket.send(bytesOf(samples.subarray(at, at + 320)))
}
const firstWords = async (room: TestSocket) => {
  const { role, transcript } = await came(room, 'transcript')
  return `${role}: ${transcript}`
}

describe('a platform that wants words', () => {
  beforeEach(() => start(true))

  it('asks for them, in the language of the assistant’s transcriber', async () => {
    expect(await came((await join()).room, 'room.joined')).toMatchObject({ words: {} })
    const speaks = (language: string) => join({ transcriber: { provider: 'deepgram', language } })
    expect(await came((await speaks('pt-BR')).room, 'room.joined')).toMatchObject({
      words: { language: 'pt-BR' },
    })
    expect((await came((await speaks('multi')).room, 'room.joined')).words).toEqual({})
  })

  it('takes them for what was said in the turn', async () => {
    const { room } = await join()
    await came(room, 'room.listening')
    speak(room, vowel(400))
    tell(room, 'When are', false)
    tell(room, 'When are you open?', true)
    speak(room, silence(700))
    expect(await firstWords(room)).toBe('user: When are you open?')
  })

  it('says that it could not make out what was said where none come', async () => {
    const { room } = await join()
    await came(room, 'room.listening')
    speak(room, vowel(400))
    speak(room, silence(700))
    expect(await firstWords(room)).toMatch(/^user: \[unintelligible speech, \d\.\d s\]$/)
  })

  it('asks a client that comes back again, and goes on with what it had', async () => {
    const { room, url } = await join({ transcriber: { provider: 'deepgram', language: 'de' } })
    const { resumeToken } = await came(room, 'room.joined')
    tell(room, 'Hello', true)
    const again = bench.openRoom(url.replace(/\?.*/, `?resume=${resumeToken}`))
    expect(await came(again, 'room.joined')).toMatchObject({ words: { language: 'de' } })
    tell(again, 'still there', true)
    speak(again, vowel(400))
    speak(again, silence(700))
    expect(await firstWords(again)).toMatch(/still there$/)
  })

  it('closes a client that sends more words than it may', async () => {
    const { room } = await join()
    await came(room, 'room.joined')
    tell(room, 'w'.repeat(MAX_WORDS_CHARACTERS + 1), true)
    expect(await room.closed).toEqual({ code: 1007, reason: 'room.words lacks a field' })
  })
})

describe('a platform that wants no words', () => {
  beforeEach(() => start(false))

  it('does not ask for them, and drops those that come unasked', async () => {
    const { room } = await join()
    expect(await came(room, 'room.joined')).not.toHaveProperty('words')
    await came(room, 'room.listening')
    speak(room, vowel(400))
    tell(room, 'Believe me', true)
    speak(room, silence(700))
    expect(await firstWords(room)).toMatch(/^user: \[unintelligible speech/)
  })
})
