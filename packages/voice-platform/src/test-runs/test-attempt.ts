import type { TestAttempt } from '@heyline/platform-client'
import { transcriptOf } from '../calls/transcript.js'
import type { Model } from '../engines/engine.js'
import { judge } from './rubric-judge.js'
import type { Writer } from './text-speaker.js'

/** Most turns of each side. */
const MOST_TURNS = 15
/** What is said to who waits where nobody begins. */
const SILENCE = '(The line is open, and nobody has said anything yet.)'

export interface AttemptOptions {
  target: Writer
  tester: Writer
  rubrics: readonly string[]
  /** It judges. */
  model: Model
  signal: AbortSignal
}

/** Lets the two write to each other until one ends it, and has the conversation judged by each rubric. Rejects where a model fails. */
export async function playAttempt({
  target,
  tester,
  rubrics,
  model,
  signal,
}: AttemptOptions): Promise<TestAttempt> {
  await converse(target, tester, signal)
  const messages = target.record()
  const transcript = transcriptOf(messages)
  const scorerResults: TestAttempt['scorerResults'] = []
  for (const rubric of rubrics) scorerResults.push(await judge(model, { rubric, transcript }, signal))
  return { scorerResults, call: { artifact: { messages, transcript } } }
}

async function converse(target: Writer, tester: Writer, signal: AbortSignal): Promise<void> {
  let heard = (await target.opening(signal))?.words ?? SILENCE
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    const asked = await tester.answer(heard, signal)
    if (asked.words === '') return
    const answered = await target.answer(asked.words, signal)
    if (asked.isOver || answered.isOver || answered.words === '') return
    heard = answered.words
  }
}
