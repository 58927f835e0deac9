import { isEndingError } from '../ending-error.js'
import { resumeAudio } from '../resumed-audio.js'
import { WebCallClient } from '../web-call-client.js'
import type { CallErrorEvent, WebCallEvents } from '../web-call-events.js'
import { type CallSource, callSource, type HumanCheckToken, serverBase } from './call-source.js'
import { type CallElementState, CallView } from './call-view.js'
import { TEXTS } from './element-texts.js'
import type { HumanCheck } from './human-check.js'

/** The attributes that labels are read from. */
const LABELS = { idle: 'start-label', connecting: 'connecting-label', 'in-call': 'stop-label' } as const
/** A call of other attributes has another client. */
const OF_THE_CALL = ['server', 'slug', 'assistant', 'key', 'platform', 'human-check'] as const

/** The events of the element with their `detail`. They bubble, and leave the shadow. */
export interface HeylineCallEvents {
  /** What the element is doing has changed. */
  'heyline-call-state': CallElementState
  /** The assistant listens. */
  'heyline-call-start': null
  /** The call is over, whoever ended it. */
  'heyline-call-end': null
  /** An error of the call, as the client tells it; the element shows a line about it. */
  'heyline-call-error': CallErrorEvent | { message: string }
  /** A message of the platform, as it came. */
  'heyline-call-message': WebCallEvents['message'][0]
  /** A line of what is said. */
  'heyline-call-transcript': WebCallEvents['transcript'][0]
}

/** On a server there are no elements; the module can be imported there all the same. */
const Base = globalThis.HTMLElement ?? class {}

/**
 * `<heyline-call>`: a button that talks to an assistant of a Heyline, on any page. `slug` calls as a visitor's page does, `assistant` with `key`
 * calls a stored assistant. A press starts a call, and stops one that runs. A call ends when the element leaves the page.
 *
 * @example
 * <script type="module" src="https://demo.example/-/embed/heyline-call.js"></script>
 * <heyline-call slug="acme"></heyline-call>
 */
export class HeylineCall extends Base {
  static readonly observedAttributes = [...OF_THE_CALL, ...Object.values(LABELS)]

  /** Where the server is, if the attribute `server` is not there: where the script is from. */
  static defaultServer = ''

  /** Gets a token of a human check before each call, where it is not the server's own one (`human-check`). */
  humanCheckToken: HumanCheckToken | undefined

  #view: CallView | undefined
  #client: WebCallClient | undefined
  #check: Promise<HumanCheck> | undefined
  #state: CallElementState = 'idle'
  #status = ''
  /** Whether the assistant has listened in the latest call. */
  #isStarted = false

  get state(): CallElementState {
    return this.#state
  }

  /** The client of the call, for what the element does not do itself: `say`, `send`, devices. Undefined before the first call. */
  get client(): WebCallClient | undefined {
    return this.#client
  }

  get muted(): boolean {
    return this.#client?.isMuted() ?? false
  }

  /** Throws a `WebCallError` without a call. */
  set muted(muted: boolean) {
    this.#client?.setMuted(muted)
  }

  connectedCallback(): void {
    if (!this.#view) {
      this.#view = new CallView(this.shadowRoot ?? this.attachShadow({ mode: 'open' }))
      const { button } = this.#view
      button.addEventListener('click', () => void this.#press())
      for (const intent of ['pointerenter', 'focus'])
        button.addEventListener(intent, () => this.#warm(), { passive: true })
    }
    window.addEventListener('pagehide', this.#leave)
    this.#show()
  }

  disconnectedCallback(): void {
    window.removeEventListener('pagehide', this.#leave)
    this.#leave()
  }

  attributeChangedCallback(name: string): void {
    if (OF_THE_CALL.some((other) => other === name)) this.#forget()
    if (this.#view) this.#show()
  }

  /** Starts a call. Call it in a click, or the browser may refuse the microphone and the sound. Resolves once it runs or has failed. */
  async start(): Promise<void> {
    if (this.#state !== 'idle') return
    this.#view?.complain('')
    this.#become('connecting')
    try {
      const source = this.#source()
      const client = this.#clientOf(source)
      if (!(await client.start(source.input)) && this.#client === client) this.#become('idle')
    } catch (error) {
      this.#fail({ message: error instanceof Error ? error.message : String(error) })
      this.#become('idle')
    }
  }

  /** Ends the call, or the start that is under way. */
  async stop(): Promise<void> {
    await this.#client?.stop()
    this.#become('idle')
  }

  async #press(): Promise<void> {
    if (this.#state === 'idle') await this.start()
    else if (this.#state === 'in-call') await this.stop()
  }

  readonly #leave = (): void => {
    void this.stop()
  }

  /** Loads the room's code before the press. What is wrong with the attributes shows at the press. */
  #warm(): void {
    try {
      void this.#clientOf(this.#source()).preload()
      if (this.hasAttribute('human-check'))
        this.#loadCheck()
          .then((check) => check.prepare())
          .catch(console.debug)
    } catch {
      // Told in `start`.
    }
  }

  /** Code that only those elements need whose server has a human check. */
  #loadCheck(): Promise<HumanCheck> {
    this.#check ??= import('./human-check.js').then(
      ({ HumanCheck }) => new HumanCheck(serverBase(this.#server), this.getAttribute('slug') ?? ''),
    )
    this.#check.catch(() => {
      this.#check = undefined
    })
    return this.#check
  }

  get #server(): string {
    return this.getAttribute('server') ?? HeylineCall.defaultServer
  }

  #token(): HumanCheckToken | undefined {
    if (this.humanCheckToken) return this.humanCheckToken
    return this.hasAttribute('human-check') ? async () => (await this.#loadCheck()).token() : undefined
  }

  #source(): CallSource {
    const named = (name: (typeof OF_THE_CALL)[number]) => this.getAttribute(name) ?? undefined
    return callSource(
      {
        server: this.#server,
        slug: named('slug'),
        assistant: named('assistant'),
        key: named('key'),
        platform: named('platform'),
      },
      async () => this.#token()?.(),
    )
  }

  #clientOf({ client: options }: CallSource): WebCallClient {
    this.#client ??= this.#listen(new WebCallClient(options))
    return this.#client
  }

  #listen(client: WebCallClient): WebCallClient {
    const ours = <Arguments extends unknown[]>(hear: (...given: Arguments) => void) => {
      return (...given: Arguments) => {
        if (this.#client === client) hear(...given)
      }
    }
    resumeAudio(client)
    return client
      .on(
        'call-start',
        ours(() => {
          this.#isStarted = true
          this.#become('in-call')
          this.#tell('heyline-call-start', null)
        }),
      )
      .on(
        'call-end',
        ours(() => {
          this.#status = TEXTS.ended
          this.#become('idle')
          this.#tell('heyline-call-end', null)
        }),
      )
      .on(
        'error',
        ours((error) => {
          this.#fail(error)
          if (isEndingError(error.type)) void this.stop()
        }),
      )
      .on(
        'message',
        ours((message) => this.#tell('heyline-call-message', message)),
      )
      .on(
        'transcript',
        ours((line) => this.#tell('heyline-call-transcript', line)),
      )
      .on(
        'volume-level',
        ours((level) => this.#view?.volume(level)),
      )
  }

  /** Ends what was started by other attributes. */
  #forget(): void {
    const client = this.#client
    if (!client) return
    this.#client = undefined
    this.#check = undefined
    void client.stop()
    this.#become('idle')
  }

  #fail(error: CallErrorEvent | { message: string }): void {
    // What the browser said stands behind it, in brackets.
    if ('reason' in error) this.#view?.complain(error.message.replace(/ \(.*/s, ''))
    else if (!('type' in error) || isEndingError(error.type)) this.#complain()
    console.warn('The call of <heyline-call> failed:', error.message)
    this.#tell('heyline-call-error', error)
  }

  /** A line that is there, such as one about the microphone, says more. */
  #complain(): void {
    if (!this.#view?.complaint) this.#view?.complain(this.#isStarted ? TEXTS.lost : TEXTS.failed)
  }

  #become(state: CallElementState): void {
    if (state === this.#state) return
    if (state !== 'idle') this.#status = TEXTS.status[state]
    if (state === 'connecting') this.#isStarted = false
    this.#state = state
    this.#view?.volume(0)
    this.#show()
    this.#tell('heyline-call-state', state)
  }

  #show(): void {
    this.setAttribute('state', this.#state)
    const label = this.getAttribute(LABELS[this.#state]) ?? TEXTS.labels[this.#state]
    this.#view?.show(this.#state, label, this.#status)
  }

  #tell<Name extends keyof HeylineCallEvents>(name: Name, detail: HeylineCallEvents[Name]): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }))
  }
}
