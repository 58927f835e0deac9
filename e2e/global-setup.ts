import { SILENCE, SPEECH, SPEECH_AFTER_MS } from './chromium-flags.js'
import { spoken } from './spoken.js'
import { writeWav } from './wav.js'

const SAMPLE_RATE = 16_000

/** The files that the browsers' microphones play. */
export default async function globalSetup() {
  writeWav(SILENCE, new Int16Array(SAMPLE_RATE * 60), SAMPLE_RATE)
  const question = await spoken('Hello there. Could you please tell me when you are open on Saturday?')
  const before = (SAMPLE_RATE * SPEECH_AFTER_MS) / 1000
  const track = new Int16Array(before + question.length + SAMPLE_RATE * 30)
  track.set(question, before)
  writeWav(SPEECH, track, SAMPLE_RATE)
}
