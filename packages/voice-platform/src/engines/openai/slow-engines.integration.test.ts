import type { ServerResponse } from 'node:http'
import { ManualClock } from '@heyline/kit/manual-clock'
import { pino } from 'pino'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { APOLOGY } from '../../session/assistant-speech.js'
import { startSession } from '../../session/running-session.js'
import { type OpenAiStandIn, startOpenAiStandIn } from '../../testing/openai-stand-in.js'
import { ScriptedLink } from '../../testing/scripted-link.js'
import { silence, vowel } from '../../testing/session-bench.js'
import { createOpenAiModel } from './openai-model.js'
import { createOpenAiTranscriber } from './openai-transcriber.js'
import { createOpenAiVoice } from './openai-voice.js'

const PATHS = {
  transcriber: '/v1/audio/transcriptions',
  model: '/v1/chat/completions',
  voice: '/v1/audio/speech',
}
type Kind = keyof typeof PATHS

let server: OpenAiStandIn
/** The first request of a process takes long by itself. */
beforeAll(async () => {
  const { url, close } = await startOpenAiStandIn()
  const { signal } = new AbortController()
  await createOpenAiTranscriber({ url }).transcribe(silence(100), { signal })
  await close()
})
beforeEach(async () => {
  server = await startOpenAiStandIn({ reply: ['Nine dollars.'] })
})
afterEach(() => server.close())

/** A caller asks something, of engines that give a server this many milliseconds. */
function ask() {
  const options = { url: server.url, name: 'any', silenceMs: 400 }
  const link = new ScriptedLink()
  const clock = new ManualClock()
  const session = startSession(
    {
      link,
      logger: pino({ level: 'silent' }),
      engines: {
        transcriber: createOpenAiTranscriber(options),
        model: createOpenAiModel(options),
        voice: createOpenAiVoice(options),
      },
      assistant: { maxDurationSeconds: 600, silenceTimeoutSeconds: 600 },
    },
    clock,
  )
  const audio = [...vowel(400), ...silence(3_000)]
  for (let at = 0; at < audio.length; at += 320) {
    clock.advance(20)
    link.handlers.onAudio(Int16Array.from(audio.slice(at, at + 320)))
  }
  const said = () => link.eventsOf('transcript').map(({ role, transcript }) => `${role}: ${transcript}`)
  return { said, session }
}

/** So many requests to this path get no answer, or one that does not go on. */
function stall(kind: Kind, times: number, begin: (response: ServerResponse) => void = () => {}) {
  server.script.intercept = (path, response) => {
    if (path !== PATHS[kind] || times === 0) return false
    times -= 1
    begin(response)
    return true
  }
}
const asked = (kind: Kind) => server.requests.filter(({ path }) => path === PATHS[kind]).length

describe.each<Kind>(['transcriber', 'model', 'voice'])('a slow server: %s', (kind) => {
  it('is asked once more, and nobody notices', async () => {
    stall(kind, 1)
    const { said, session } = ask()
    await vi.waitFor(
      () => expect(said()).toEqual(['user: What does it cost?', 'assistant: Nine dollars.']),
      4_000,
    )
    expect(asked(kind)).toBeGreaterThan(1)
    session.end('assistant-ended-call')
  })

  it('twice: the caller hears an apology', async () => {
    // The voice is what apologises.
    stall(kind, kind === 'voice' ? 2 : Number.POSITIVE_INFINITY)
    const { said, session } = ask()
    await vi.waitFor(() => expect(said().at(-1)).toBe(`assistant: ${APOLOGY}`), 4_000)
    expect(said()).not.toContain('assistant: Nine dollars.')
    session.end('assistant-ended-call')
  })
})

describe('a server that begins its answer and then stalls', () => {
  it('is slow, too: the caller hears what there was, and an apology', async () => {
    stall('model', 1, (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: {"choices":[{"delta":{"content":"Let me see. It costs "}}]}\n\n')
    })
    const { said, session } = ask()
    await vi.waitFor(() => expect(said().at(-1)).toBe(`assistant: ${APOLOGY}`), 4_000)
    expect(said().join(' ')).toContain('assistant: Let me see.')
    session.end('assistant-ended-call')
  })
})
