import { type Clock, systemClock } from '@heyline/kit/clock'
import type { WebSocket } from 'ws'
import { z } from 'zod'
import { notServedText } from './other-services.js'

/** How long a client may be silent, in ms. Its own heartbeats come every 25 s. */
const SILENT_MS = 60_000
/** Frames of one connection. A client that needs more, after some hours, connects again. */
const MOST_FRAMES = 500
/** Longest frame that is read, in bytes. A join is a few hundred. */
const MOST_BYTES = 20_000
/** Bytes of answers that wait for a client that does not read them. */
const MOST_UNREAD = 200_000

const ref = z.string().nullish()

/** A message of a Phoenix channel (https://hexdocs.pm/phoenix/writing_a_channels_client.html), in version 2 a list, in version 1 an object. */
const message = z.union([
  z
    .tuple([ref, ref, z.string(), z.string()], z.unknown())
    .transform(([joinRef, ref, topic, event]) => ({ version: 2, joinRef, ref, topic, event })),
  z
    .object({ join_ref: ref, ref, topic: z.string(), event: z.string() })
    .transform(({ join_ref: joinRef, ...rest }) => ({ version: 1, joinRef, ...rest })),
])

type Message = z.output<typeof message>

/**
 * Tells a Realtime client what it would not hear otherwise: it takes a refused connection for a bad line, and tries again for ever.
 * So it is let in. Each channel that it joins is refused with our sentence, and then closed, so that the client does not join again.
 */
export function refuseRealtime(socket: WebSocket, clock: Clock = systemClock): void {
  let frames = 0
  let stop = () => {}
  const wait = () => {
    stop()
    stop = clock.after(SILENT_MS, () => socket.terminate())
  }
  wait()
  socket.on('error', () => undefined)
  socket.on('close', () => stop())
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    wait()
    frames += 1
    if (socket.bufferedAmount > MOST_UNREAD) return socket.terminate()
    if (frames > MOST_FRAMES || data.length > MOST_BYTES) return socket.close(1008, notServedText('realtime'))
    if (!isBinary) for (const answer of answersTo(data.toString('utf8'))) socket.send(answer)
  })
}

function answersTo(text: string): string[] {
  const read = message.safeParse(parsed(text))
  if (!read.success) return []
  const asked = read.data
  if (asked.event === 'heartbeat') return [written(asked, 'phx_reply', { status: 'ok', response: {} })]
  if (asked.event !== 'phx_join') return []
  const response = { reason: notServedText('realtime') }
  return [
    written(asked, 'phx_reply', { status: 'error', response }),
    written({ ...asked, ref: asked.joinRef }, 'phx_close', {}),
  ]
}

/** A message to the client about what it asked, in the version that it speaks. */
function written({ version, joinRef, ref, topic }: Message, event: string, payload: object): string {
  return JSON.stringify(
    version === 2 ? [joinRef, ref, topic, event, payload] : { join_ref: joinRef, ref, topic, event, payload },
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
