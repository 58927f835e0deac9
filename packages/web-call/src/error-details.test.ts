import { expect, it } from 'vitest'
import { errorDetails, errorText } from './error-details.js'
import { RoomError } from './rooms/room-error.js'

it.each([
  ['an error', new Error('out of paper'), 'out of paper'],
  [
    'an error and its cause',
    new Error('no connection', { cause: new TypeError('fetch failed') }),
    'no connection (fetch failed)',
  ],
  ['a text', 'Failed to load call object bundle', 'Failed to load call object bundle'],
  [
    "a room's event",
    { action: 'error', errorMsg: 'Meeting is full', error: { type: 'meeting-full', msg: 'x' } },
    'Meeting is full',
  ],
  ["a room's inner error", { error: { type: 'no-room', msg: 'No such room' } }, 'No such room'],
  ['nothing', undefined, 'Something failed without a word.'],
])('reads the text of %s', (_name, thrown, text) => {
  expect(errorText(thrown)).toBe(text)
})

it('keeps status and code, as data that can be copied', () => {
  const refusal = Object.assign(new Error('Invalid Key'), { status: 401, code: 'unauthorized' })
  const details = structuredClone(errorDetails(refusal))
  expect(details).toMatchObject({
    name: 'Error',
    message: 'Invalid Key',
    status: 401,
    code: 'unauthorized',
  })
  expect(details.stack).toContain('Invalid Key')
  expect(errorDetails(new RoomError('no-room'))).toMatchObject({ name: 'RoomError', code: 'no-room' })
})
