import { Store } from '@heyline/kit/store'
import { needsStepUp } from '../office/refusal.js'
import type { Proof } from '../wire/session-wire.js'

/** The operator chose not to confirm: what they began is not done. */
export class StepUpCancelled extends Error {
  override readonly name = 'StepUpCancelled'
  readonly code = 'step_up_cancelled'

  constructor() {
    super('Nothing was changed: you did not confirm that it is you.')
  }
}

interface Question {
  confirmed(): void
  cancelled(): void
}

/** Asks for a fresh second factor when the server wants one, once for all that wait for it. The dialog shows while there is a question. */
export class StepUp extends Store<Question | undefined> {
  readonly #send: (proof: Proof) => Promise<unknown>
  #asked: Promise<void> | undefined

  constructor(send: (proof: Proof) => Promise<unknown>) {
    super(undefined)
    this.#send = send
  }

  /** Does something; where the server refuses it with `step_up_needed`, asks, and does it again. Rejects with `StepUpCancelled` too. */
  readonly run = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    try {
      return await work()
    } catch (error) {
      if (!needsStepUp(error)) throw error
      await this.#ask()
      return await work()
    }
  }

  /** Rejects where the proof is wrong: the question stays. */
  async confirm(proof: Proof): Promise<void> {
    await this.#send(proof)
    this.get()?.confirmed()
  }

  cancel(): void {
    this.get()?.cancelled()
  }

  #ask(): Promise<void> {
    this.#asked ??= new Promise<void>((resolve, reject) => {
      this.set({ confirmed: resolve, cancelled: () => reject(new StepUpCancelled()) })
    }).finally(() => {
      this.#asked = undefined
      this.set(undefined)
    })
    return this.#asked
  }
}
