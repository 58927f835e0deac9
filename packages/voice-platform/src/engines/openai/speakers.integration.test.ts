import { ManualClock } from '@heyline/kit/manual-clock'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startSession } from '../../session/running-session.js'
import { type OpenAiStandIn, startOpenAiStandIn } from '../../testing/openai-stand-in.js'
import { ScriptedEngines } from '../../testing/scripted-engines.js'
import { ScriptedLink } from '../../testing/scripted-link.js'
import { createOpenAiVoice } from './openai-voice.js'

let server: OpenAiStandIn
beforeEach(async () => {
  server = await startOpenAiStandIn({ voices: ['alloy', 'nova', 'verse'] })
})
afterEach(() => server.close())

const { signal } = new AbortController()
/** A voice that speaks a sentence as somebody, in a call of its own. */
function bench(voice?: string) {
  const clock = new ManualClock()
  const engine = createOpenAiVoice({ url: server.url, ...(voice && { voice }) }, clock)
  const speak = async (voiceId: string, sentences = 1) => {
    const onRefused = vi.fn()
    const speaker = engine.withSpeaker?.(voiceId, onRefused) ?? engine
    for (let count = 0; count < sentences; count += 1)
      for await (const samples of speaker.speak('Good morning.', { signal })) void samples
    return onRefused.mock.calls.length
  }
  return { engine, clock, speak }
}
const speakers = () => server.requests.map(({ body }) => JSON.parse(body.toString()).voice)

describe('the speaker of a call', () => {
  it('is the one that its assistant names', async () => {
    expect(await bench().speak('nova')).toBe(0)
    expect(speakers()).toEqual(['nova'])
  })

  it('is the default one of the settings for a call that names none', async () => {
    for await (const samples of bench('verse').engine.speak('Good morning.', { signal })) void samples
    expect(speakers()).toEqual(['verse'])
  })

  it('is the default one where the server refuses it: asked for once, and told to each call', async () => {
    const { speak, clock } = bench('verse')
    expect(await speak('rachel', 2)).toBe(1)
    expect(speakers()).toEqual(['rachel', 'verse', 'verse'])
    expect(await speak('rachel')).toBe(1)
    expect(speakers().slice(3)).toEqual(['verse'])
    clock.advance(600_000)
    server.script.voices = ['verse', 'rachel']
    expect(await speak('rachel')).toBe(0)
    expect(speakers().at(-1)).toBe('rachel')
  })

  it('is not blamed where the default one fails too, or the key is wrong', async () => {
    server.script.voices = []
    const { speak } = bench()
    await expect(speak('nova')).rejects.toThrow('400 (invalid_request_error)')
    expect(speakers()).toEqual(['nova', 'alloy'])
    server.script.intercept = (_, response) => {
      response.writeHead(401).end()
      return true
    }
    await expect(speak('nova')).rejects.toThrow('401')
    expect(speakers()).toHaveLength(3)
    server.script.intercept = undefined
    server.script.voices = ['nova']
    expect(await speak('nova')).toBe(0)
  })
})

it('a call with a voice that is refused is spoken by the default one, and its record and the log say so', async () => {
  const link = new ScriptedLink()
  const logger = pino({ level: 'silent' })
  const warn = vi.spyOn(logger, 'warn')
  const { transcriber, model } = new ScriptedEngines()
  const session = startSession({
    ...{ link, logger },
    engines: { transcriber, model, voice: createOpenAiVoice({ url: server.url }) },
    assistant: {
      ...{ maxDurationSeconds: 600, silenceTimeoutSeconds: 600 },
      ...{ voiceId: 'rachel', firstMessage: 'Good morning. How can I help?', systemPrompt: 'Be kind.' },
    },
  })
  await vi.waitFor(() => expect(link.eventsOf('transcript')).toHaveLength(1))
  session.end('assistant-ended-call')
  const { messages } = await session.ended
  expect(messages.map(({ role, message }) => `${role}: ${message}`).sort()).toEqual([
    'bot: Good morning. How can I help?',
    'system: Be kind.',
    'system: The voice engine refused the voice rachel. Its default voice spoke.',
  ])
  expect(warn).toHaveBeenCalledOnce()
  expect(warn.mock.calls[0]?.[0]).toEqual({ voiceId: 'rachel' })
  // Neither the client nor a model reads the note.
  expect(JSON.stringify(link.events)).not.toContain('refused')
})
