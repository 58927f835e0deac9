import type { IncomingMessage } from './server-message.js'
import type { TranscriptLine } from './web-call-events.js'

/**
 * Merges the platform's transcripts into lines: a partial one replaces the words of its speaker's line, a final one
 * finishes it. A line of the assistant that the person spoke over takes only its own final words (a part of it, or all
 * of it and more) after that; anything else begins the next line.
 */
export class Transcript {
  #count = 0
  readonly #open = new Map<string, TranscriptLine>()
  #cut: TranscriptLine | undefined

  /** The lines that a message changed; none for messages that are no transcript. */
  hear({ type, role, transcript, transcriptType }: IncomingMessage): TranscriptLine[] {
    if (type === 'user-interrupted') this.#cut = this.#open.get('assistant')
    if (!/^transcript(\[|$)/.test(type) || (role !== 'assistant' && role !== 'user')) return []
    const text = typeof transcript === 'string' ? transcript.trim() : ''
    if (!text) return []
    const isFinal = transcriptType !== 'partial'
    const open = this.#open.get(role)
    const isOver = open && open === this.#cut && !(isFinal && isOneUtterance(open.text, text))
    const line: TranscriptLine = { id: open && !isOver ? open.id : this.#count++, role, text, isFinal }
    if (isFinal) this.#open.delete(role)
    else this.#open.set(role, line)
    return isOver ? [finished(open), line] : [line]
  }

  /** The lines that are not final yet, finished. */
  close(): TranscriptLine[] {
    return [...this.#open.values()].map(finished)
  }
}

const finished = (line: TranscriptLine): TranscriptLine => ({ ...line, isFinal: true })

const isOneUtterance = (one: string, other: string) => one.startsWith(other) || other.startsWith(one)
