import type { WebCallClient } from '../web-call-client.js'
import type { WebCallEvents } from '../web-call-events.js'

/** One event with its arguments. */
export type Told = {
  [Name in keyof WebCallEvents]: [name: Name, ...payload: WebCallEvents[Name]]
}[keyof WebCallEvents]

/** The name of every event. */
export const EVENTS: Record<keyof WebCallEvents, true> = {
  'call-start': true,
  'call-end': true,
  'speech-start': true,
  'speech-end': true,
  'volume-level': true,
  message: true,
  transcript: true,
  connection: true,
  error: true,
  'call-start-progress': true,
  'call-start-success': true,
  'call-start-failed': true,
  'microphone-changed': true,
  'audio-blocked': true,
}

/** Writes down all that a client tells from now on, copied as another window would get it. */
export class CallStory {
  /** Every event with its arguments, in their order. */
  readonly told: Told[] = []

  constructor(client: Pick<WebCallClient, 'on'>) {
    const note = <Name extends keyof WebCallEvents>(name: Name) =>
      client.on(name, (...payload) => {
        this.told.push(toTold(name, structuredClone(payload)))
      })
    for (const name of Object.keys(EVENTS) as (keyof WebCallEvents)[]) note(name)
  }

  /** Everything in short: `stage status` for progress, `error type`, `message type`, the event's name for the rest. */
  get lines(): string[] {
    return this.told.map((told) => {
      if (told[0] === 'call-start-progress') return `${told[1].stage} ${told[1].status}`
      if (told[0] === 'error') return `error ${told[1].type}`
      if (told[0] === 'message') return `message ${told[1].type}`
      return told[0]
    })
  }

  /** The arguments of each event of a name. */
  payloads<Name extends keyof WebCallEvents>(name: Name): WebCallEvents[Name][] {
    return this.told.flatMap((told) => (told[0] === name ? [told.slice(1) as WebCallEvents[Name]] : []))
  }

  /** Begins anew. */
  forget(): void {
    this.told.length = 0
  }
}

const toTold = (name: keyof WebCallEvents, payload: unknown[]): Told => [name, ...payload] as Told
