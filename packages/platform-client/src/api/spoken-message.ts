import type { OpenString } from './open-string.js'

/** Words in one language. */
export interface SpokenContent {
  type: 'text'
  text: string
  /** ISO 639 code. */
  language: OpenString<'en' | 'es' | 'fr' | 'de' | 'it' | 'pt' | 'nl' | 'hi' | 'ja' | 'zh'>
}

/** Something that the assistant says at a certain moment, in one language or in several. */
export interface CustomMessage {
  type: 'custom-message'
  /** At most 1000 characters. */
  content?: string
  /** In place of `content`: one for each language of the assistant. A language that is missing gets a translation of the first. */
  contents?: SpokenContent[]
}
