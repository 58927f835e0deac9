import { expect, it } from 'vitest'
import { EngineError, type TranscriptionEvents, type TranscriptionStream } from '../engines/engine.js'
import { settled, silence, startTestSession, vowel } from '../testing/session-bench.js'
import { MOST_TURN_CHARACTERS } from './turn-words.js'

/** A session whose transcriber streams: what the streams get, and what they say. */
function bench(settle: (stream: number) => Promise<string>, whole = 'Words of the whole turn.') {
  const streams: { events: TranscriptionEvents; samples: number; isClosed: boolean }[] = []
  const open = (events: TranscriptionEvents): TranscriptionStream => {
    const stream = { events, samples: 0, isClosed: false }
    streams.push(stream)
    const number = streams.length
    return {
      write: (samples) => {
        stream.samples += samples.length
      },
      settle: () => settle(number),
      close: () => {
        stream.isClosed = true
      },
    }
  }
  const session = startTestSession({}, { heard: [{ text: whole }] }, true, undefined, undefined, {}, open)
  const partials = () =>
    session.link.eventsOf('transcript').filter(({ transcriptType }) => transcriptType === 'partial')
  return { ...session, streams, partials }
}

it('a turn goes over a stream of its own, and its words come from there', async () => {
  const { live, streams, transcripts, engines } = bench(async () => 'What do you sell?')
  await live(vowel(400))
  await live(silence(800))
  expect(transcripts()[0]).toBe('user: What do you sell?')
  expect(engines.utterances).toEqual([])
  expect(streams).toHaveLength(1)
  expect(streams[0]?.isClosed).toBe(true)
  expect(streams[0]?.samples).toBeGreaterThan(400 * 16)
})

it('words are told while the caller speaks', async () => {
  const { live, streams, partials } = bench(async () => 'What do you sell?')
  await live(vowel(400))
  streams[0]?.events.onPartial('What do')
  expect(partials().map(({ transcript }) => transcript)).toEqual(['What do'])
})

it('words that nobody can have said so fast are cut, before the model or the client gets them', async () => {
  const { live, streams, partials, engines } = bench(() => new Promise(() => {}))
  await live(vowel(400))
  streams[0]?.events.onPartial('What do '.repeat(1_000_000))
  await live(silence(300))
  expect(partials().map(({ transcript }) => String(transcript).length)).toEqual([MOST_TURN_CHARACTERS])
  expect(engines.asked[0]?.messages.at(-1)?.content).toHaveLength(MOST_TURN_CHARACTERS)
})

it('a stream that fails loses no words: the whole turn is transcribed', async () => {
  const failing = () => Promise.reject(new EngineError('streaming', 'it broke off'))
  const { live, streams, transcripts, engines } = bench(failing)
  await live(vowel(400))
  await live(silence(800))
  expect(transcripts()[0]).toBe('user: Words of the whole turn.')
  expect(engines.utterances).toHaveLength(1)
  expect(streams[0]?.isClosed).toBe(true)
})

it('a pause that the engine hears comes before ours, and the reply with it', async () => {
  const { live, streams, engines } = bench(async () => 'What do you sell?')
  await live(vowel(400))
  await live(silence(100))
  expect(engines.asked).toHaveLength(0)
  streams[0]?.events.onPause()
  await settled()
  expect(engines.asked).toHaveLength(1)
})

it('a reply is begun for the words so far, and kept if they stay', async () => {
  let answer = (_words: string) => {}
  const { live, streams, engines, transcripts } = bench(
    () =>
      new Promise((resolve) => {
        answer = resolve
      }),
  )
  await live(vowel(400))
  streams[0]?.events.onPartial('What do you sell?')
  await live(silence(300))
  expect(engines.asked).toHaveLength(1)
  answer('What do you sell?')
  await live(silence(500))
  expect(engines.asked).toHaveLength(1)
  expect(transcripts()).toEqual(['user: What do you sell?', 'assistant: Very well.'])
})

it('an unfinished sentence waits, unless the engine takes the turn for over', async () => {
  const { live, streams, transcripts } = bench(async () => 'I would like')
  await live(vowel(400))
  await live(silence(800))
  expect(transcripts()).toEqual([])
  streams[0]?.events.onEndOfTurn()
  await settled()
  expect(transcripts()[0]).toBe('user: I would like')
})

it('a turn is over when it is over, whatever a late stream says', async () => {
  const { live, streams, partials } = bench(async () => 'What do you sell?')
  await live(vowel(400))
  await live(silence(800))
  const before = partials().length
  streams[0]?.events.onPartial('Late words')
  streams[0]?.events.onEndOfTurn()
  expect(partials()).toHaveLength(before)
})
