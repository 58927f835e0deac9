import type { IncomingMessage } from './server-message.js'
import type { TranscriptLine } from './web-call-events.js'

/**
 * Merges the platform's transcripts into lines: a partial one replaces the words of its speaker's line, a final one
 * finishes it. A line of the assistant that the person spoke over takes only its own final words (a part of it, or all
 * of it and more) after that; anything else begins the next line. What comes late or twice begins none: words of the
 * line that its speaker has just finished, before anybody began another.
 */
export class Transcript {
  #count = 0
  readonly #open = new Map<string, TranscriptLine>()
  /** The last final words of each, and how many lines there were then. */
  readonly #said = new Map<string, { text: string; count: number }>()
  #cut: TranscriptLine | undefined

  /** The lines that a message changed; none for messages that are no transcript. */
  hear({ type, role, transcript, transcriptType }: IncomingMessage): TranscriptLine[] {
    if (type === 'user-interrupted') this.#cut = this.#open.get('assistant')
    if (!/^transcript(\[|$)/.test(type) || (role !== 'assistant' && role !== 'user')) return []
    const text = typeof transcript === 'string' ? transcript.trim() : ''
    if (!text) return []
    const isFinal = transcriptType !== 'partial'
    const open = this.#open.get(role)
    const said = this.#said.get(role)
    if (!open && said?.count === this.#count && (isFinal ? said.text === text : said.text.startsWith(text)))
      return []
    const isOver = open && open === this.#cut && !(isFinal && isOneUtterance(open.text, text))
    const line: TranscriptLine = { id: open && !isOver ? open.id : this.#count++, role, text, isFinal }
    if (isFinal) {
      this.#open.delete(role)
      this.#said.set(role, { text, count: this.#count })
    } else this.#open.set(role, line)
    return isOver ? [finished(open), line] : [line]
  }

  /** The lines that are not final yet, finished. */
  close(): TranscriptLine[] {
    return [...this.#open.values()].map(finished)
  }
}

const finished = (line: TranscriptLine): TranscriptLine => ({ ...line, isFinal: true })

const isOneUtterance = (one: string, other: string) => one.startsWith(other) || other.startsWith(one)
