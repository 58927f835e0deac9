import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AUDIBLE } from '../../e2e/speaker.js'
import { spoken } from '../../e2e/spoken.js'
import { writeWav } from '../../e2e/wav.js'

const SAMPLE_RATE = 16_000
const BLOCK = 160

/** What the caller says, in one breath. */
export const QUESTION = 'When are you open on Saturday'
/** The caller is silent for so long first, in milliseconds. */
const SILENT_MS = 2_500

/** The question, without the silence around it: PCM16 mono 16 kHz. */
export async function question(): Promise<Int16Array> {
  const samples = await spoken(QUESTION)
  const loud: number[] = []
  for (let at = 0; at < samples.length; at += BLOCK) {
    const block = samples.subarray(at, at + BLOCK)
    const power = block.reduce((sum, sample) => sum + (sample / 32_768) ** 2, 0) / block.length
    if (Math.sqrt(power) > AUDIBLE) loud.push(at)
  }
  return samples.slice(loud[0] ?? 0, (loud.at(-1) ?? 0) + BLOCK)
}

/** A file for a browser's microphone: silence, the question, and silence for half a minute. */
export async function writeCaller(): Promise<string> {
  const file = join(tmpdir(), 'heyline-bench-caller.wav')
  const speech = await question()
  const before = (SAMPLE_RATE * SILENT_MS) / 1000
  const track = new Int16Array(before + speech.length + 30 * SAMPLE_RATE)
  track.set(speech, before)
  writeWav(file, track, SAMPLE_RATE)
  return file
}
