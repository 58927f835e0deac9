import { Store } from '@heyline/kit/store'

/** The 'Call Me' form (spec 4): what is typed, whether a request is under way, and which message is shown. */
export interface CallFormState {
  open: boolean
  /** As the phone field gives it; a bare calling code when only a country was chosen. */
  phone: string | undefined
  busy: boolean
  message: 'phoneMissing' | 'callFailed' | 'callAccepted' | undefined
}

const CLOSED: CallFormState = { open: false, phone: undefined, busy: false, message: undefined }

/** Asks for a call; resolves to whether it was accepted and never rejects. */
export type RequestCall = (phone: string, signal: AbortSignal) => Promise<boolean>

/** Hidden ↔ shown; a submit is busy until its answer; closing ends a request and forgets number and message. */
export class CallForm extends Store<CallFormState> {
  readonly #request: RequestCall
  #running: AbortController | undefined

  constructor(request: RequestCall) {
    super(CLOSED)
    this.#request = request
  }

  /** The 'Call Me' button. */
  toggle(): void {
    this.#running?.abort()
    this.#running = undefined
    this.set({ ...CLOSED, open: !this.get().open })
  }

  /** Says that the form could not be had; the next press tries again. */
  fail(): void {
    this.set({ ...CLOSED, message: 'callFailed' })
  }

  /** What the phone field holds now. A shown message stays until the next submit. */
  type(phone: string | undefined): void {
    if (phone !== this.get().phone) this.set({ ...this.get(), phone })
  }

  /**
   * 'Call Now'. `phone` is undefined when nothing was entered; a submit while one is under way does nothing. A message
   * is always taken away first: one that stays as it is would not be announced again.
   */
  async submit(phone: string | undefined): Promise<void> {
    if (this.#running || !this.get().open) return
    const running = new AbortController()
    this.#running = running
    this.set({ ...this.get(), busy: !!phone, message: undefined })
    const accepted = phone ? await this.#request(phone, running.signal) : await nextTask()
    if (this.#running !== running) return
    this.#running = undefined
    this.set({
      ...this.get(),
      busy: false,
      phone: accepted ? undefined : this.get().phone,
      message: accepted ? 'callAccepted' : phone ? 'callFailed' : 'phoneMissing',
    })
  }
}

const nextTask = () => new Promise<void>((resolve) => setTimeout(resolve))
