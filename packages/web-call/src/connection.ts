import type { WallClock } from '@heyline/kit/wall-clock'
import type { Emitter } from './events/emitter.js'
import type { RoomEvents } from './rooms/room-events.js'
import { type ConnectionEvent, timestampOf, type WebCallEvents } from './web-call-events.js'

/** Turns what a room tells of its network into `connection`, whenever that changes. */
export class Connection {
  readonly #events: Emitter<WebCallEvents>
  readonly #clock: WallClock
  /** A room has two connections, for signals and for sound. It may carry the sound in another way than before. */
  readonly #interrupted = new Set<'signals' | 'sound'>()
  #told: Omit<ConnectionEvent, 'timestamp'> = { state: 'connected', quality: 'good' }

  constructor(events: Emitter<WebCallEvents>, clock: WallClock) {
    this.#events = events
    this.#clock = clock
  }

  changed({ type, event }: RoomEvents['network-connection']): void {
    const part = type === 'signaling' ? 'signals' : 'sound'
    if (event === 'interrupted') this.#interrupted.add(part)
    else this.#interrupted.delete(part)
    this.measured({ threshold: this.#told.quality })
  }

  measured({ threshold: quality }: Pick<RoomEvents['network-quality-change'], 'threshold'>): void {
    const state = this.#interrupted.size ? 'interrupted' : 'connected'
    if (state === this.#told.state && quality === this.#told.quality) return
    this.#told = { state, quality }
    this.#events.emit('connection', { ...this.#told, timestamp: timestampOf(this.#clock) })
  }
}
