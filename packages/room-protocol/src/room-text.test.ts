import { describe, expect, it } from 'vitest'
import {
  FATAL_ERRORS,
  type FatalErrorKind,
  MAX_TEXT_CHARACTERS,
  MAX_WORDS_CHARACTERS,
  parseClientText,
  parseServerText,
  type RoomClientMessage,
  type RoomServerMessage,
  roomText,
} from './index.js'

const SERVER: RoomServerMessage[] = [
  { type: 'room.joined', callId: 'c', participantId: 'p', resumeToken: 't' },
  { type: 'room.joined', callId: 'c', participantId: 'p', resumeToken: 't', graceMs: 15_000 },
  { type: 'room.joined', callId: 'c', participantId: 'p', resumeToken: 't', words: {} },
  { type: 'room.joined', callId: 'c', participantId: 'p', resumeToken: 't', words: { language: 'de-DE' } },
  { type: 'room.listening' },
  { type: 'room.mark', id: 0 },
  { type: 'room.clear', id: 12 },
  { type: 'room.ended', reason: 'assistant-ended-call' },
  ...(Object.keys(FATAL_ERRORS) as FatalErrorKind[]).map(
    (kind): RoomServerMessage => ({ type: 'room.error', kind, message: 'why' }),
  ),
]
const CLIENT: RoomClientMessage[] = [
  { type: 'room.playable' },
  { type: 'room.played', id: 3 },
  { type: 'room.cleared', id: 3, playedMs: 1234.5 },
  { type: 'room.words', text: '', isFinal: false },
  { type: 'room.words', text: 'w'.repeat(MAX_WORDS_CHARACTERS), isFinal: true },
  ...[...'0123456789*#ABCD'].map((key): RoomClientMessage => ({ type: 'room.key', key })),
  { type: 'room.leave' },
]

describe('a message of the room', () => {
  it.each(SERVER)('comes through from the platform: $type $kind', (message) => {
    expect(parseServerText(roomText(message))).toEqual({ kind: 'room', message })
  })

  it.each(CLIENT)('comes through from the client: $type', (message) => {
    expect(parseClientText(roomText(message))).toEqual({ kind: 'room', message })
  })

  it('is known only from the end that sends it', () => {
    for (const message of CLIENT) expect(parseServerText(roomText(message)).kind).toBe('invalid')
    for (const message of SERVER) expect(parseClientText(roomText(message)).kind).toBe('invalid')
  })

  it('may have fields that this version does not know', () => {
    expect(parseServerText('{"type":"room.listening","since":1}').kind).toBe('room')
  })
})

describe('a message that passes through', () => {
  it('is handed on as it came', () => {
    const message = { type: 'transcript', transcript: 'Hello', nested: { list: [1, null] } }
    expect(parseServerText(JSON.stringify(message))).toEqual({ kind: 'app', message })
    expect(parseClientText('{"type":"hangup"}')).toEqual({ kind: 'app', message: { type: 'hangup' } })
  })
})

describe('a text frame that is no message', () => {
  it.each([
    ['', 'not JSON'],
    ['{', 'not JSON'],
    ['null', 'not an object with a type'],
    ['"room.leave"', 'not an object with a type'],
    ['[{"type":"room.leave"}]', 'not an object with a type'],
    ['{"type":7}', 'not an object with a type'],
    ['{"type":"room.unheard-of"}', 'unknown room message'],
    ['{"type":"room.toString"}', 'unknown room message'],
    [`{"type":"room.${'é'.repeat(300)}"}`, 'unknown room message'],
    ['{"type":"room.played"}', 'room.played lacks a field'],
    ['{"type":"room.played","id":-1}', 'room.played lacks a field'],
    ['{"type":"room.played","id":1.5}', 'room.played lacks a field'],
    ['{"type":"room.played","id":"1"}', 'room.played lacks a field'],
    ['{"type":"room.cleared","id":1}', 'room.cleared lacks a field'],
    ['{"type":"room.cleared","id":1,"playedMs":-1}', 'room.cleared lacks a field'],
    ['{"type":"room.cleared","id":1,"playedMs":null}', 'room.cleared lacks a field'],
    ['{"type":"room.words","text":"Hello"}', 'room.words lacks a field'],
    ['{"type":"room.words","text":["Hello"],"isFinal":true}', 'room.words lacks a field'],
    [
      `{"type":"room.words","text":"${'w'.repeat(MAX_WORDS_CHARACTERS + 1)}","isFinal":true}`,
      'room.words lacks a field',
    ],
    ['{"type":"room.key"}', 'room.key lacks a field'],
    ['{"type":"room.key","key":5}', 'room.key lacks a field'],
    ['{"type":"room.key","key":"12"}', 'room.key lacks a field'],
    ['{"type":"room.key","key":"E"}', 'room.key lacks a field'],
    ['{"type":"room.key","key":""}', 'room.key lacks a field'],
  ])('is refused from a client: %s', (text, reason) => {
    expect(parseClientText(text)).toEqual({ kind: 'invalid', reason })
  })

  it.each([
    '{"type":"room.joined","callId":"c","participantId":"p"}',
    '{"type":"room.joined","callId":"c","participantId":"p","resumeToken":"t","graceMs":"15"}',
    '{"type":"room.joined","callId":"c","participantId":"p","resumeToken":"t","words":true}',
    '{"type":"room.joined","callId":"c","participantId":"p","resumeToken":"t","words":{"language":1}}',
    '{"type":"room.mark"}',
    '{"type":"room.ended"}',
    '{"type":"room.error","kind":"tired","message":"why"}',
    '{"type":"room.error","kind":"ejected"}',
  ])('is refused from the platform: %s', (text) => {
    expect(parseServerText(text).kind).toBe('invalid')
  })

  it('is refused when it is longer than a frame may be, and not a character earlier', () => {
    const sized = (length: number) => {
      const frame = '{"type":"say","message":""}'
      return frame.replace('""', `"${'x'.repeat(length - frame.length)}"`)
    }
    expect(parseClientText(sized(MAX_TEXT_CHARACTERS)).kind).toBe('app')
    expect(parseClientText(sized(MAX_TEXT_CHARACTERS + 1)).kind).toBe('invalid')
  })
})
