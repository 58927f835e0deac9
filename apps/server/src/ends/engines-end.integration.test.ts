import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import type { Settings } from '../settings/settings.js'
import { type EnginesEnd, openEngines } from './engines-end.js'

const logger = pino({ level: 'silent' })
const engine = { url: 'http://127.0.0.1:1/v1' }

const ends: EnginesEnd[] = []
afterEach(() => Promise.all(ends.splice(0).map((end) => end.close())))
const open = (engines: Settings['engines'], browserTranscriber = true) => {
  const end = openEngines({ engines, browserTranscriber }, logger)
  ends.push(end)
  const { model, transcriber, voice } = end.engines
  return { names: [model.name, transcriber.name, voice.name], transcriber }
}

describe('the engines', () => {
  it('are offline ones where the settings name no server, each by itself', () => {
    expect(open({}).names).toEqual(['offline model', 'offline transcriber', 'flite'])
    expect(open({ model: engine }).names).toEqual(['openai model', 'offline transcriber', 'flite'])
    expect(open({ transcriber: engine }).names).toEqual(['offline model', 'openai transcriber', 'flite'])
    expect(open({ voice: engine }).names).toEqual(['offline model', 'offline transcriber', 'openai voice'])
  })

  it('ask browsers for words where the settings let them, and no server transcribes', () => {
    expect(open({}).transcriber.withWords).toBeDefined()
    expect(open({}, false).transcriber.withWords).toBeUndefined()
    expect(open({ transcriber: engine }).transcriber.withWords).toBeUndefined()
  })
})
