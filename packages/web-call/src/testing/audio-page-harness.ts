import { vi } from 'vitest'

/** An audio element without sound. */
class SilentElement {
  srcObject: unknown
  sinkId = ''
  ended = false
  onpause: (() => void) | null = null
  isConnected = false
  readonly #page: AudioPage

  constructor(page: AudioPage) {
    this.#page = page
  }

  async play(): Promise<void> {
    if (this.#page.refusal) throw this.#page.refusal
  }

  pause(): void {}

  async setSinkId(id: string): Promise<void> {
    if (this.#page.sinkRefusal) throw this.#page.sinkRefusal
    this.sinkId = id
  }

  remove(): void {
    this.isConnected = false
    this.#page.elements.delete(this)
  }
}

/** The part of a page that plays tracks, put in place of the document that a test does not have. */
export class AudioPage {
  /** The audio elements that are in the page. */
  readonly elements = new Set<SilentElement>()
  readonly track = { kind: 'audio' } as MediaStreamTrack
  /** What `play` rejects with. */
  refusal: Error | undefined
  /** What `setSinkId` rejects with. */
  sinkRefusal: Error | undefined

  constructor() {
    const appendChild = (element: SilentElement) => {
      element.isConnected = true
      this.elements.add(element)
      return element
    }
    vi.stubGlobal('MediaStream', class {})
    vi.stubGlobal('document', {
      createElement: () => new SilentElement(this),
      body: { appendChild },
    })
  }
}
