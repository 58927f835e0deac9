import type { Link } from '../link.js'
import type { Engines } from './engine.js'

/** The engines of one call: where its client tells the words that it recognises, the transcriber may use them. */
export function enginesForCall(engines: Engines, { words }: Link): Engines {
  const { transcriber, model, voice } = engines
  if (!words || !transcriber.withWords) return engines
  return { transcriber: transcriber.withWords(words), model, voice }
}
