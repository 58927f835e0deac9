import { ManualClock } from '@heyline/kit/manual-clock'
import type { WordsWish } from '@heyline/room-protocol'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { ScriptedAudioDevice } from '../../testing/scripted-audio-device.js'
import type { CallRoom } from '../call-room.js'
import { RoomServer } from './room-server-harness.js'
import { ScriptedRecognition } from './scripted-recognition-harness.js'
import { createSocketRoom } from './socket-room.js'

const track = { id: 'microphone' } as MediaStreamTrack
let room: CallRoom
let server: RoomServer
beforeEach(() => {
  ScriptedRecognition.made.length = 0
  vi.stubGlobal('WebSocket', WebSocket)
  vi.stubGlobal('webkitSpeechRecognition', ScriptedRecognition)
  vi.stubGlobal('document', { documentElement: { lang: 'en' } })
  vi.stubGlobal('navigator', { language: 'en', userAgent: 'Mozilla/5.0 (X11; Linux x86_64)' })
})
afterEach(async () => {
  await room.destroy()
  await server.stop()
  vi.unstubAllGlobals()
})

async function join({ words, startAudioOff = false, device = {} }: Setup) {
  server = await RoomServer.open({ admit: true })
  server.words = words
  const clock = new ManualClock()
  room = createSocketRoom(server.url, {
    device: device instanceof ScriptedAudioDevice ? device : Object.assign(new ScriptedAudioDevice(), device),
    startAudioOff,
    clock,
  })
  await room.join({ url: server.url, subscribeToTracksAutomatically: false })
  return clock
}
interface Setup {
  words?: WordsWish
  startAudioOff?: boolean
  device?: { track?: MediaStreamTrack }
}
const asked = () => vi.waitFor(() => expect(ScriptedRecognition.made).toHaveLength(1))
/** Time for code that is loaded, and for what is under way on the loopback. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 50))
const words = (text: string, isFinal: boolean) => ({ type: 'room.words', text, isFinal })

describe('a room whose platform wants words', () => {
  it('recognises the microphone’s track and tells the words', async () => {
    await join({ words: { language: 'de' }, device: { track } })
    await asked()
    const recognition = ScriptedRecognition.latest
    expect(recognition).toMatchObject({ track, lang: 'de' })
    recognition.listen()
    recognition.hear('wann')
    recognition.conclude('Wann öffnen Sie?')
    await vi.waitFor(() =>
      expect(server.messages).toEqual([
        words('', false),
        words('wann', false),
        words('Wann öffnen Sie?', true),
      ]),
    )
  })

  it('hears nothing while the microphone is off', async () => {
    await join({ words: {}, device: { track }, startAudioOff: true })
    await settle()
    expect(ScriptedRecognition.made).toEqual([])
    room.setLocalAudio(true)
    await asked()
    room.setLocalAudio(false)
    expect(ScriptedRecognition.latest.isAborted).toBe(true)
    await vi.waitFor(() => expect(server.messages).toEqual([words('', true)]))
  })

  it('hears the microphone that replaces a lost one', async () => {
    const device = Object.assign(new ScriptedAudioDevice(), { track })
    await join({ words: {}, device })
    await asked()
    const first = ScriptedRecognition.latest
    const other = { id: 'other' } as MediaStreamTrack
    device.track = other
    device.changeMicrophone()
    await vi.waitFor(() => expect(ScriptedRecognition.made).toHaveLength(2))
    expect(first.isAborted).toBe(true)
    expect(ScriptedRecognition.latest.track).toBe(other)
  })

  it('ends it with the call', async () => {
    await join({ words: {}, device: { track } })
    await asked()
    await room.leave()
    expect(ScriptedRecognition.latest.isAborted).toBe(true)
  })

  it('does not begin in a room that was left meanwhile', async () => {
    await join({ words: {}, device: { track } })
    await room.leave()
    await settle()
    expect(ScriptedRecognition.made).toEqual([])
  })

  it('recognises nothing without a microphone of its own', async () => {
    await join({ words: {} })
    await settle()
    expect(ScriptedRecognition.made).toEqual([])
  })

  it('goes on over another connection, without the words of the time between', async () => {
    await join({ words: {}, device: { track } })
    await asked()
    const changes: string[] = []
    room.on('network-connection', ({ event }) => {
      changes.push(event)
      if (event === 'interrupted') ScriptedRecognition.latest.conclude('Nobody hears this.')
    })
    server.cut()
    await vi.waitFor(() => expect(changes).toEqual(['interrupted', 'connected']))
    ScriptedRecognition.latest.conclude('Are you there?')
    await vi.waitFor(() => expect(server.messages).toEqual([words('Are you there?', true)]))
    expect(ScriptedRecognition.made).toHaveLength(1)
  })
})

describe('a room whose platform wants none', () => {
  it('recognises nothing', async () => {
    await join({ device: { track } })
    await settle()
    expect(ScriptedRecognition.made).toEqual([])
  })
})
