import { ManualClock } from '@heyline/kit/manual-clock'
import { expect, it, vi } from 'vitest'
import { ScriptedEngines } from '../../testing/scripted-engines.js'
import { settled, silence } from '../../testing/session-bench.js'
import { EngineError, type Model, type Transcriber, type Voice } from '../engine.js'
import { modelWithFallback, transcriberWithFallback, voiceWithFallback } from './fallback-engines.js'

const broken = () => new EngineError('first', 'it broke')
const { signal } = new AbortController()
const bench = () => {
  const clock = new ManualClock()
  const onTakeover = vi.fn()
  return { clock, onTakeover, options: { clock, onTakeover, coolDownMs: 60_000, patienceMs: 4_000 } }
}

async function textOf(model: Model): Promise<string> {
  let text = ''
  for await (const piece of model.reply([], { signal })) text += piece
  return text
}

it('the second model replies where the first fails, until the cool-down is over', async () => {
  const { clock, onTakeover, options } = bench()
  const first = new ScriptedEngines({ replies: [broken(), ['From the first.']] })
  const second = new ScriptedEngines({ replies: [['From the second.']] })
  const model = modelWithFallback(first.model, second.model, options)
  expect(await textOf(model)).toBe('From the second.')
  expect(await textOf(model)).toBe('From the second.')
  expect(first.asked).toHaveLength(1)
  expect(onTakeover).toHaveBeenCalledOnce()
  clock.advance(60_000)
  expect(await textOf(model)).toBe('From the first.')
})

it('a first model that says nothing for too long counts as failed', async () => {
  const { clock, options } = bench()
  const first = new ScriptedEngines({ replies: ['hang'] })
  const second = new ScriptedEngines({ replies: [['From the second.']] })
  const text = textOf(modelWithFallback(first.model, second.model, options))
  await settled()
  clock.advance(4_000)
  expect(await text).toBe('From the second.')
})

it('a reply that breaks off in the middle is not begun again, but the next one is the second one’s', async () => {
  const { options } = bench()
  const first = new ScriptedEngines({ replies: [['Half a ', broken()]] })
  const second = new ScriptedEngines({ replies: [['From the second.']] })
  const model = modelWithFallback(first.model, second.model, options)
  await expect(textOf(model)).rejects.toThrow('it broke')
  expect(await textOf(model)).toBe('From the second.')
})

it('an abort is no failure', async () => {
  const { options, onTakeover } = bench()
  const first = new ScriptedEngines({ heard: ['hang'] })
  const second = new ScriptedEngines({ heard: [{ text: 'From the second.' }] })
  const transcriber = transcriberWithFallback(first.transcriber, second.transcriber, options)
  const controller = new AbortController()
  const work = transcriber.transcribe(silence(100), { signal: controller.signal })
  controller.abort(new Error('never mind'))
  await expect(work).rejects.toThrow('never mind')
  expect(onTakeover).not.toHaveBeenCalled()
  expect(second.utterances).toEqual([])
})

it('a stream that fails leaves its turn to the second transcriber', async () => {
  const { options, onTakeover } = bench()
  const second = new ScriptedEngines({ heard: [{ text: 'From the second.' }] })
  const first: Transcriber = {
    name: 'first',
    transcribe: () => Promise.reject(broken()),
    open: () => ({ write() {}, settle: () => Promise.reject(broken()), close() {} }),
  }
  const transcriber = transcriberWithFallback(first, second.transcriber, options)
  const events = { onPartial() {}, onPause() {}, onEndOfTurn() {} }
  const stream = transcriber.open?.(events)
  await expect(stream?.settle({ signal })).rejects.toThrow('it broke')
  expect(onTakeover).toHaveBeenCalledOnce()
  expect((await transcriber.transcribe(silence(100), { signal })).text).toBe('From the second.')
  // The second one listens to no streams.
  await expect(transcriber.open?.(events).settle({ signal })).rejects.toThrow('does not stream')
})

it('the second voice speaks where the first fails, also for a speaker of the first', async () => {
  const { options } = bench()
  const first: Voice = {
    name: 'first',
    // biome-ignore lint/correctness/useYield: it fails before its first sound
    async *speak() {
      throw broken()
    },
    withSpeaker: () => first,
    close: vi.fn(),
  }
  const second = new ScriptedEngines()
  const voice = voiceWithFallback(first, second.voice, options)
  const speaker = voice.withSpeaker?.('somebody', () => {}) ?? voice
  let samples = 0
  for await (const piece of speaker.speak('Hello.', { signal })) samples += piece.length
  expect(samples).toBe(600)
  voice.close?.()
  expect(first.close).toHaveBeenCalledOnce()
})
