import { readFileSync } from 'node:fs'
import { FATAL_ERRORS } from '@heyline/room-protocol'
import { describe, expect, it } from 'vitest'
import { EVENTS } from '../testing/call-story.js'
import type { WebCallClientOptions } from '../web-call-client.js'
import type { CallErrorType } from '../web-call-events.js'

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')

/** The codes of the first column of the table under a heading. */
function rows(heading: string): string[] {
  const text = readme.split(/^## /m).find((section) => section.startsWith(heading)) ?? ''
  const cells = text.split('\n').flatMap((line) => /^\| (`.+?) +\|/.exec(line)?.[1] ?? [])
  return cells.flatMap((cell) => Array.from(cell.matchAll(/`([^`(]+)[^`]*`/g), ([, code = '']) => code))
}

const errors: Record<Exclude<CallErrorType, keyof typeof FATAL_ERRORS>, true> = {
  'validation-error': true,
  'daily-call-object-creation-error': true,
  'daily-call-join-error': true,
  'video-recording-setup-error': true,
  'audio-observer-setup-error': true,
  'audio-processing-setup-error': true,
  'start-method-error': true,
  'microphone-error': true,
  'listening-timeout': true,
}

const options: Record<keyof WebCallClientOptions, true> = {
  token: true,
  baseUrl: true,
  fetch: true,
  createRoom: true,
  audioSource: true,
  startAudioOff: true,
  listeningTimeoutMs: true,
  clock: true,
}

describe('the README', () => {
  it('has every event, and no other', () => {
    expect(rows('Events').toSorted()).toEqual(Object.keys(EVENTS).toSorted())
  })

  it('has every type of an error, and no other', () => {
    const types = [...Object.keys(errors), ...Object.keys(FATAL_ERRORS)]
    expect(rows('Errors').toSorted()).toEqual(types.toSorted())
  })

  it('has every option of the client', () => {
    expect(rows('The client')).toEqual(expect.arrayContaining(Object.keys(options)))
  })
})
