import { expect, it } from 'vitest'
import { triedWords } from './tried-words.js'

it('says what came back and how long it took', () => {
  expect(triedWords('webhook', { status: 204, ms: 35, error: null })).toBe(
    'Delivered: it answered 204 after 35 ms.',
  )
  expect(triedWords('email', { status: null, ms: 1234, error: null })).toBe(
    'The mail server took it after 1.2 s.',
  )
})

it('says what to do where it failed', () => {
  const failed = (status: number | null, kind: 'webhook' | 'email' = 'webhook') =>
    triedWords(kind, { status, ms: 5, error: 'It failed' })
  expect(failed(401)).toBe(
    'Not delivered after 5 ms: It failed. Look whether the tool has the newest secret.',
  )
  expect(failed(404)).toContain('address is still right')
  expect(failed(500)).toContain('log of the tool')
  expect(failed(null)).toContain('the tool is running')
  expect(failed(null, 'email')).toContain('SMTP_URL')
})
