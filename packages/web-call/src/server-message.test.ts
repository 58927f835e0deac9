import type { Transcript as TranscriptMessage } from '@heyline/platform-client'
import { expect, expectTypeOf, it } from 'vitest'
import { endedMessage, type IncomingMessage, isEnded, readServerMessage } from './server-message.js'

it('is narrowed by its type to the fields that the platform documents', () => {
  const message: IncomingMessage = {
    type: 'transcript',
    role: 'user',
    transcriptType: 'final',
    transcript: 'Hello',
  }
  const read = (heard: IncomingMessage) => {
    if (heard.type !== 'transcript') return undefined
    expectTypeOf(heard.role).toEqualTypeOf<TranscriptMessage['role']>()
    return heard.transcript
  }
  expect(read(message)).toBe('Hello')
})

it('lets a type through that is not in the list, with fields that are unknown', () => {
  const message = readServerMessage('{"type":"from-the-future","field":1}')
  expect(message).toEqual({ type: 'from-the-future', field: 1 })
  expectTypeOf<IncomingMessage['field']>().toBeUnknown()
})

it.each(['{oops', '"text"', 'null', '{"type":1}', '[]', 42, null, undefined])('cannot read %j', (data) => {
  expect(readServerMessage(data)).toBeUndefined()
})

it('knows the end, its own too', () => {
  expect(isEnded(endedMessage('customer-ended-call'))).toBe(true)
  expect(isEnded({ type: 'status-update', status: 'in-progress' })).toBe(false)
})
