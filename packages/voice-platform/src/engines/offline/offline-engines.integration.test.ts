import { ManualClock } from '@heyline/kit/manual-clock'
import { levelOf } from '@heyline/room-protocol'
import { pino } from 'pino'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { CallerWords } from '../../link/caller-words.js'
import { EngineError } from '../engine.js'
import { createFliteVoice } from '../flite/flite-voice.js'
import { WorkerPool } from '../flite/worker-pool.js'
import { describeModel } from '../model.contract.js'
import { describeTranscriber } from '../transcriber.contract.js'
import { describeVoice } from '../voice.contract.js'
import { createOfflineEngines } from './offline-engines.js'
import { createOfflineModel } from './offline-model.js'
import { createOfflineTranscriber } from './offline-transcriber.js'

const logger = pino({ level: 'silent' })
const nothingToClose = async () => {}

describeTranscriber('the offline transcriber', async () => ({
  transcriber: createOfflineTranscriber(),
  close: nothingToClose,
}))
describeTranscriber('the offline transcriber with the words of the caller’s browser', async () => {
  const words = new CallerWords(new ManualClock())
  words.take('What does it cost', true)
  const transcriber = createOfflineTranscriber({ callerWords: true }).withWords?.(words)
  if (!transcriber) throw new Error('It takes no words.')
  return { transcriber, close: nothingToClose }
})
describeModel('the offline model', async () => ({ model: createOfflineModel(), close: nothingToClose }))
describeVoice('flite', async () => {
  const voice = createFliteVoice({ logger })
  return { voice, close: () => voice.close() }
})

describe('the flite voice', () => {
  const voice = createFliteVoice({ logger })
  afterAll(() => voice.close())
  const { signal } = new AbortController()
  const pieces = async (text: string) => {
    const all: Int16Array[] = []
    for await (const piece of voice.speak(text, { signal })) all.push(piece)
    return all
  }

  it('speaks sentence by sentence, and cuts long ones', async () => {
    expect(await pieces('We open at nine. Dr. Stone comes at ten.')).toHaveLength(2)
    expect(await pieces(`${'and so on '.repeat(35)}.`)).toHaveLength(2)
  })

  it('keeps what it has made, whoever asks for it', async () => {
    voice.prepare('We close at five. See you tomorrow.')
    const [prepared] = await pieces('We close at five.')
    const [again, rest] = await pieces('We close at five.  See you tomorrow.')
    expect(again).toBe(prepared)
    expect(rest).toBe((await pieces('See you tomorrow.'))[0])
  })

  it('speaks for one call as for all, from the same store', async () => {
    const call = voice.forCall?.()
    const said: Int16Array[] = []
    for await (const piece of call?.speak('We close at five.', { signal }) ?? []) said.push(piece)
    expect(said).toEqual(await pieces('We close at five.'))
    expect(said[0]).toBe((await pieces('We close at five.'))[0])
  })

  it('refuses the ninth sentence of one call that waits, and nobody else’s', async () => {
    const call = voice.forCall?.()
    const first = (text: string) =>
      call?.speak(text, { signal: new AbortController().signal })[Symbol.asyncIterator]().next()
    const others = Array.from({ length: 4 }, (_, n) => pieces(`Caller ${n} keeps a thread busy.`))
    const own = await Promise.allSettled(Array.from({ length: 12 }, (_, n) => first(`Her sentence ${n}.`)))
    const refused = own.filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(4)
    expect(refused[0]).toMatchObject({ reason: expect.any(EngineError) })
    await Promise.all(others)
    expect(await first('Her sentence after that.')).toMatchObject({ done: false })
  })

  it('prepares no more of a long text than its beginning', async () => {
    const run = vi.spyOn(WorkerPool.prototype, 'run')
    voice.prepare(Array.from({ length: 2_000 }, (_, n) => `Sentence ${n} of many.`).join(' '))
    expect(run.mock.calls).toEqual([
      ['Sentence 0 of many.', { ahead: true }],
      ['Sentence 1 of many.', { ahead: true }],
    ])
    run.mockRestore()
  })

  it('begins no speech of a caller who has gone', async () => {
    const others = Array.from({ length: 4 }, (_, n) => pieces(`This is said to caller ${n}.`))
    const run = vi.spyOn(WorkerPool.prototype, 'run')
    const gone = new AbortController()
    const speech = voice.speak('Nobody hears this one. Nor that one.', { signal: gone.signal })
    const next = speech[Symbol.asyncIterator]().next()
    gone.abort(new Error('gone'))
    await expect(next).rejects.toThrow('gone')
    for (const { value } of run.mock.results)
      await expect(value.speech).rejects.toThrow('nobody waits for this speech')
    expect(run.mock.results).toHaveLength(2)
    run.mockRestore()
    await Promise.all(others)
  })

  it('says honestly that it cannot read a text', async () => {
    const [speech = new Int16Array(0)] = await pieces('Привет!')
    expect(levelOf(speech)).toBeGreaterThan(0.01)
    expect((await pieces('👍'))[0]).toBe(speech)
  })

  it('rejects with an EngineError once it is closed', async () => {
    const closed = createFliteVoice({ logger })
    await closed.close()
    closed.prepare('Nobody will hear this.')
    const speech = closed.speak('Nobody will hear this.', { signal })[Symbol.asyncIterator]()
    await expect(speech.next()).rejects.toBeInstanceOf(EngineError)
  })
})

describe('the offline transcriber', () => {
  const clock = new ManualClock()
  const { signal } = new AbortController()
  const speech = new Int16Array(16_000)

  it('takes no words unless it is told to', () => {
    expect(createOfflineTranscriber().withWords).toBeUndefined()
  })

  it('hears the words that came since the turn began', async () => {
    const words = new CallerWords(clock)
    const transcriber = createOfflineTranscriber({ callerWords: true }).withWords?.(words)
    words.take('Before it', true)
    clock.advance(5_000)
    words.take('When are you open', true)
    clock.advance(500)
    expect(await transcriber?.transcribe(speech, { signal })).toEqual({
      text: 'When are you open',
      durationMs: 1_000,
    })
    const startedAt = clock.now() - 10_000
    expect((await transcriber?.transcribe(speech, { signal, startedAt }))?.text).toBe(
      'Before it When are you open',
    )
    clock.advance(1_000)
    const late = transcriber?.transcribe(speech, { signal })
    clock.advance(700)
    expect(await late).toEqual({ text: null, durationMs: 1_000 })
  })
})

it('a client that says more was spoken than anybody speaks has the rest dropped', async () => {
  const words = new CallerWords(new ManualClock())
  const transcriber = createOfflineTranscriber({ callerWords: true }).withWords?.(words)
  words.take(`${'x'.repeat(119)}${'👍'.repeat(900)}`, true)
  const { signal } = new AbortController()
  const heard = await transcriber?.transcribe(new Int16Array(8_000), { signal, startedAt: 0 })
  expect(heard).toEqual({ text: 'x'.repeat(119), durationMs: 500 })
})

describe('createOfflineEngines', () => {
  it('gives three engines that can be closed', async () => {
    const engines = createOfflineEngines({ logger })
    expect([engines.transcriber.name, engines.model.name, engines.voice.name]).toEqual([
      'offline transcriber',
      'offline model',
      'flite',
    ])
    await engines.close()
    await engines.close()
  })
})
