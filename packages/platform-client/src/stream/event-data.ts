/**
 * Reads server-sent events (WHATWG HTML, "Server-sent events") out of a text that comes in pieces, wherever it is cut.
 * Only the data is kept: the platform names its events inside it.
 */
export class EventData {
  #rest = ''
  #lines: string[] = []

  /** The data of the events that a piece completes. */
  push(piece: string): string[] {
    const text = this.#rest + piece
    // A carriage return at the end may be the first half of a line's end.
    const end = text.endsWith('\r') ? text.length - 1 : text.length
    const lines = text.slice(0, end).split(/\r\n|\n|\r/)
    this.#rest = (lines.pop() ?? '') + text.slice(end)
    return lines.flatMap((line) => this.#read(line))
  }

  /** The data of an event that the end of the text leaves without its blank line. */
  end(): string[] {
    return this.push('\n\n\n')
  }

  #read(line: string): string[] {
    const lines = this.#lines
    if (line === '') {
      this.#lines = []
      return lines.length > 0 ? [lines.join('\n')] : []
    }
    const data = /^data(?:: ?(.*))?$/s.exec(line)
    if (data) lines.push(data[1] ?? '')
    return []
  }
}
