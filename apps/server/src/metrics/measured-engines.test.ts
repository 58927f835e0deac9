import type { Engines } from '@heyline/voice-platform'
import { expect, it } from 'vitest'
import { measuredEngines } from './measured-engines.js'

const signal = new AbortController().signal

async function all<Piece>(pieces: AsyncIterable<Piece>): Promise<Piece[]> {
  const list: Piece[] = []
  for await (const piece of pieces) list.push(piece)
  return list
}

function engines(changes: Partial<Engines> = {}) {
  const asked: string[] = []
  const took: string[] = []
  const given: Engines = {
    transcriber: { name: 'ears', transcribe: async () => ({ text: 'Hello.', durationMs: 400 }) },
    model: {
      name: 'mind',
      async *reply() {
        yield 'We sell '
        yield 'tea.'
      },
    },
    voice: {
      name: 'mouth',
      async *speak() {
        yield new Int16Array(160)
      },
    },
    ...changes,
  }
  const measured = measuredEngines(given, {
    engineAsked: (engine, result) => asked.push(`${engine} ${result}`),
    engineTook: (engine) => took.push(engine),
  })
  return { measured, asked, took }
}

it('counts what each engine was asked, and how long its first output took', async () => {
  const { measured, asked, took } = engines()
  expect(await measured.transcriber.transcribe(new Int16Array(1), { signal })).toMatchObject({
    text: 'Hello.',
  })
  expect(await all(measured.model.reply([], { signal }))).toEqual(['We sell ', 'tea.'])
  expect(await all(measured.voice.speak('Hello.', { signal }))).toHaveLength(1)
  expect(asked).toEqual(['transcriber ok', 'model ok', 'voice ok'])
  expect(took).toEqual(['transcriber', 'model', 'voice'])
})

it('tells a failure from an answer that nobody wants any more', async () => {
  const leaving = new AbortController()
  const broken = async (): Promise<never> => {
    throw new Error('broken')
  }
  const { measured, asked } = engines({ transcriber: { name: 'ears', transcribe: broken } })
  await expect(measured.transcriber.transcribe(new Int16Array(1), { signal })).rejects.toThrow('broken')
  for await (const _piece of measured.model.reply([], { signal })) break
  leaving.abort()
  await expect(
    measured.transcriber.transcribe(new Int16Array(1), { signal: leaving.signal }),
  ).rejects.toThrow('broken')
  expect(asked).toEqual(['transcriber failed', 'model dropped', 'transcriber dropped'])
})

it('measures the engines of one call, too, and leaves out what an engine cannot do', () => {
  const { measured } = engines()
  expect('withWords' in measured.transcriber).toBe(false)
  expect('withSpeaker' in measured.voice).toBe(false)
  const { measured: able, asked } = engines({
    transcriber: {
      name: 'ears',
      punctuates: false,
      transcribe: async () => ({ text: '', durationMs: 0 }),
      withWords() {
        return this
      },
    },
  })
  expect(able.transcriber.punctuates).toBe(false)
  void able.transcriber.withWords?.(Object.create(null))?.transcribe(new Int16Array(1), { signal })
  expect(asked).toEqual([])
})
