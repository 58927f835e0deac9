import { systemClock } from '@heyline/kit/clock'
import { levelOf, SAMPLE_RATE } from '@heyline/room-protocol'
import { createOfflineEngines, EngineRefusal, type Engines, type Voice } from '@heyline/voice-platform'
import { pino } from 'pino'
import { openEngines } from '../ends/engines-end.js'
import type { Settings } from '../settings/settings.js'
import { type Finding, fail, ok, warn } from './finding.js'

/** The only fact that the model is told, and what it is asked. Both are without numbers, which transcribers write in several ways. */
const FACT = 'The garden gate is painted green.'
const QUESTION = 'What colour is the garden gate?'
/** The model that our calls name. */
const MODEL = 'gpt-4o-mini'

/** What the model is offered besides, as in a call that can be transferred. */
const TOOL = {
  name: 'dtmf',
  description: 'Presses keys of the phone. There is nothing to press now.',
  parameters: { type: 'object', properties: { dtmf: { type: 'string' } }, required: ['dtmf'] },
}

/** What one check may cost: tokens, characters and seconds of sound. And how long each engine may take, in milliseconds. */
const MOST_TOKENS = 60
const MOST_CHARACTERS = 120
const MOST_SECONDS = 15
const PATIENCE_MS = 20_000
/** Share of the words that have to come back. */
const ENOUGH_WORDS = 0.5
/** Anything quieter is silence. */
const LEAST_LEVEL = 0.005

type Kind = keyof Settings['engines']

/** What an engine made, and how long it took. */
interface Made<T> {
  value: T
  seconds: string
}

/**
 * Speaks one sentence as a call does: the model writes it, the voice says it, the transcriber hears it. Where the model or the voice
 * fails, the others are tried all the same. `broken` are the engines that are known not to work.
 * `suffix` stands behind the kind in the names of their settings.
 */
export async function checkSpeech(
  settings: Pick<Settings, 'engines' | 'browserTranscriber'>,
  broken: ReadonlySet<string>,
  suffix = '',
): Promise<Finding[]> {
  const logger = pino({ level: 'silent' })
  const warnings: Finding[] = []
  const end = openEngines(settings, logger, (name) => warnings.push(withoutTools(name)))
  const { model, voice, transcriber } = end.engines
  const failures: Finding[] = []
  const tried = async <T>(kind: Kind, work: (signal: AbortSignal) => Promise<T>) => {
    const engine = settings.engines[kind]
    if (engine && broken.has(kind)) return undefined
    const start = systemClock.now()
    try {
      const value = await work(AbortSignal.timeout(PATIENCE_MS))
      return { value, seconds: ((systemClock.now() - start) / 1000).toFixed(1) }
    } catch (error) {
      failures.push(failureOf(kind, engine !== undefined, error, suffix))
      return undefined
    }
  }
  try {
    const written = await tried('model', (signal) => sentenceOf(model, signal))
    const sentence = written?.value ?? FACT
    const spoken = await tried('voice', (signal) => speechOf(voice, sentence, signal))
    const speech = spoken?.value ?? (settings.engines.transcriber && (await offlineSpeech(sentence)))
    const heard =
      speech && (await tried('transcriber', (signal) => transcriber.transcribe(speech, { signal })))
    if (!heard || failures.length > 0 || !written || !spoken) return [...failures, ...warnings]
    return [verdict(written, spoken, { ...heard, value: heard.value.text }), ...warnings]
  } finally {
    await end.close()
  }
}

async function sentenceOf(model: Engines['model'], signal: AbortSignal): Promise<string> {
  const messages = [
    { role: 'system', content: `${FACT}\nAnswer in one short sentence.` },
    { role: 'user', content: QUESTION },
  ] as const
  let text = ''
  // A model that takes the tool for the answer is asked again without it.
  for (const tools of [[TOOL], []]) {
    if (wordsOf(text).length > 0) break
    text = ''
    const limits = { maxTokens: MOST_TOKENS, tools }
    for await (const piece of model.reply(messages, { signal, model: MODEL, ...limits })) {
      text += piece
      if (text.length >= MOST_CHARACTERS) break
    }
  }
  if (wordsOf(text).length === 0) throw new Error('it answered without a word')
  return printable(text)
}

async function speechOf(voice: Voice, text: string, signal: AbortSignal): Promise<Int16Array> {
  const pieces: Int16Array[] = []
  let samples = 0
  for await (const piece of voice.speak(text, { signal })) {
    pieces.push(piece)
    samples += piece.length
    if (samples >= MOST_SECONDS * SAMPLE_RATE) break
  }
  const speech = new Int16Array(samples)
  let at = 0
  for (const piece of pieces) {
    speech.set(piece, at)
    at += piece.length
  }
  if (levelOf(speech) < LEAST_LEVEL) throw new Error('it answered with silence')
  return speech
}

/** The sentence in the voice that every machine has, for a transcriber whose own voice failed. */
async function offlineSpeech(text: string): Promise<Int16Array> {
  const { voice, close } = createOfflineEngines({ logger: pino({ level: 'silent' }) })
  try {
    return await speechOf(voice, text, AbortSignal.timeout(PATIENCE_MS))
  } finally {
    await close()
  }
}

function verdict(written: Made<string>, spoken: Made<Int16Array>, heard: Made<string | null>): Finding {
  const said = `“${written.value}” was written in ${written.seconds} s and spoken in ${spoken.seconds} s`
  if (heard.value === null)
    return ok('speech', `${said}; the offline transcriber hears speech, but no words of it`)
  const words = new Set(wordsOf(heard.value))
  const all = wordsOf(written.value)
  const found = all.filter((word) => words.has(word)).length
  if (found >= all.length * ENOUGH_WORDS)
    return ok('speech', `${said}, and came back as words in ${heard.seconds} s`)
  return warn(
    'TRANSCRIBER_NAME',
    `${said}, but was heard as “${printable(heard.value)}”`,
    'try another model of that server (TRANSCRIBER_NAME), or another voice (VOICE_ID)',
  )
}

const withoutTools = (name: string): Finding =>
  warn(
    'MODEL_NAME',
    `${name} takes no tools: assistants can neither transfer calls nor press keys with it`,
    'name a model that has tools (MODEL_NAME), or turn them on at its server',
  )

function failureOf(kind: Kind, isNamed: boolean, error: unknown, suffix: string): Finding {
  const message = error instanceof Error ? error.message : String(error)
  const setting = `${kind.toUpperCase()}${suffix}`
  if (!isNamed) return fail('speech', `offline ${kind}: ${message}`, 'install Heyline again')
  return fail(`${setting}_URL`, `cannot be used in a call: ${message}`, mendOf(kind, setting, error))
}

function mendOf(kind: Kind, setting: string, error: unknown): string {
  const { status = 0, code } = error instanceof EngineRefusal ? error : {}
  if (status === 401 || status === 403) return `set ${setting}_KEY to a key of that server that may do this`
  if (status === 402 || status === 429) return `see the account at that server${code ? ` (${code})` : ''}`
  if (status >= 500) return 'ask again later, and see the log of that server'
  if (status > 0)
    return `set ${setting}_NAME to a ${kind} that the server has${kind === 'voice' ? ', and VOICE_ID to one of its voices' : ''}`
  return 'check the address, and that the server does what is asked of it'
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** One line that a terminal can show. */
const printable = (text: string) =>
  text
    .replace(/\p{C}|\s+/gu, ' ')
    .trim()
    .slice(0, MOST_CHARACTERS)
