import { expect, it } from 'vitest'
import { statusOf } from './call-news.js'

it.each([
  ['queued', 'Calling you…'],
  ['dialling', 'Calling you…'],
  ['ringing', 'Ringing…'],
  ['in-progress', 'You are in the call.'],
  ['unknown', 'We are checking what became of the call.'],
])('%s reads "%s", and more will come', (state, text) => {
  expect(statusOf(JSON.stringify({ state }))).toEqual({ text, final: false })
})

it.each([
  ['ended', 'completed', 'The call has ended.'],
  ['ended', undefined, 'The call has ended.'],
  ['ended', 'an outcome of tomorrow', 'The call has ended.'],
  ['ended', 'constructor', 'The call has ended.'],
  ['ended', 'max_duration', 'The call has ended.'],
  ['ended', 'silence', 'The call has ended.'],
  ['ended', 'caller_stopped', 'The call has ended.'],
  ['ended', 'cancelled', 'The call has ended.'],
  ['ended', 'other', 'The call has ended.'],
  ['ended', 'no_answer', 'Nobody answered.'],
  ['ended', 'busy', 'The line was busy.'],
  ['ended', 'voicemail', 'The call went to voicemail.'],
  ['ended', 'provider_fault', 'The call was cut off. Please try again.'],
  ['ended', 'platform_fault', 'The call was cut off. Please try again.'],
  ['ended', 'caller_config', 'The call could not be placed. Please try again.'],
  ['ended', 'blocked_fraud', 'The call could not be placed. Please try again.'],
  ['refused', undefined, 'The call could not be placed. Please try again.'],
  ['failed', 'busy', 'The call could not be placed. Please try again.'],
])('%s with the outcome %s reads "%s", and that is all', (state, outcome, text) => {
  expect(statusOf(JSON.stringify({ state, outcome }))).toEqual({ text, final: true })
})

it.each([
  '',
  'not json',
  'null',
  '[]',
  '{}',
  '{"state":"a state of tomorrow"}',
  '{"state":"constructor"}',
  '7',
])('says nothing of %j', (event) => {
  expect(statusOf(event)).toBeUndefined()
})
