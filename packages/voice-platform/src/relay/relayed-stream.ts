import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Clock } from '@heyline/kit/clock'

/** A room's holder pings every ten seconds. One that is silent for longer than this is gone, in milliseconds. */
const SILENCE_MS = 35_000
/** How long what is left may take to reach a client whose connection the holder has ended, in milliseconds. */
const REST_MS = 3_000

/**
 * Joins a client's stream with the connection to the process that holds its room: bytes go both ways as they come, so the holder sees
 * and bounds the client as one of its own. Each side is read only as fast as the other takes it. When one ends, so does the other.
 */
export function joinStreams(client: Duplex, holder: Socket, clock: Clock): void {
  if (client.destroyed) {
    holder.destroy()
    return
  }
  let heardAt = clock.monotonic()
  let stopTimer = () => {}
  const watch = () => {
    const left = heardAt + SILENCE_MS - clock.monotonic()
    if (left <= 0) holder.destroy()
    else stopTimer = clock.after(left, watch)
  }
  watch()
  holder.on('data', () => {
    heardAt = clock.monotonic()
  })
  client.on('error', () => holder.destroy())
  client.once('close', () => holder.destroy())
  holder.once('close', () => {
    stopTimer()
    if (client.destroyed) return
    client.end()
    const stop = clock.after(REST_MS, () => client.destroy())
    client.once('close', stop)
  })
  client.pipe(holder)
  holder.pipe(client)
}
