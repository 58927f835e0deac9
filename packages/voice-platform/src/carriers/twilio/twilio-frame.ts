import type { RawData } from 'ws'
import { z } from 'zod'

/** Longest text frame that is read, in bytes. Twilio's media frames are about 400. */
const MAX_FRAME_BYTES = 65_536

const startFrame = z.object({
  event: z.literal('start'),
  start: z.object({
    streamSid: z.string().min(1),
    callSid: z.string().min(1),
    mediaFormat: z.object({
      encoding: z.string(),
      sampleRate: z.coerce.number(),
      channels: z.coerce.number(),
    }),
    customParameters: z.record(z.string(), z.string()).default({}),
  }),
})

const mediaFrame = z.object({
  event: z.literal('media'),
  media: z.object({
    track: z.string().default('inbound'),
    /** Counts the stream's media frames. */
    chunk: z.coerce.number().nonnegative().optional(),
    /** Milliseconds since the stream began. */
    timestamp: z.coerce.number().nonnegative().optional(),
    payload: z.base64(),
  }),
})

const digitFrame = z.object({
  event: z.literal('dtmf'),
  dtmf: z.object({ digit: z.string().regex(/^[0-9*#A-D]$/) }),
})

const markFrame = z.object({ event: z.literal('mark'), mark: z.object({ name: z.string() }) })

const bareFrame = z.object({ event: z.enum(['connected', 'stop']) })

const frame = z.discriminatedUnion('event', [startFrame, mediaFrame, digitFrame, markFrame, bareFrame])
const anyFrame = z.object({ event: z.string() })

/** What `start` says of a stream. */
export type StreamStart = z.infer<typeof startFrame>['start']

/** A frame of Twilio's; `other` for one that is not known here; `refused`, with a close code, for one that Twilio never sends. */
export type TwilioFrame =
  | z.infer<typeof frame>
  | { event: 'other' }
  | { event: 'refused'; code: 1003 | 1008 | 1009; why: string }

const KNOWN = new Set(['start', 'media', 'dtmf', 'mark', 'connected', 'stop'])

const refused = (code: 1003 | 1008 | 1009, why: string): TwilioFrame => ({ event: 'refused', code, why })

/**
 * Reads one WebSocket message of a media stream (Twilio's "Media Streams: WebSocket messages"). Never throws.
 * An unknown event is `other`, to be skipped: Twilio may add events.
 */
export function readFrame(data: RawData, isBinary: boolean): TwilioFrame {
  if (isBinary || !Buffer.isBuffer(data)) return refused(1003, 'a media stream carries text frames only')
  if (data.length > MAX_FRAME_BYTES) return refused(1009, `a frame is longer than ${MAX_FRAME_BYTES} bytes`)
  let value: unknown
  try {
    value = JSON.parse(data.toString())
  } catch {
    return refused(1003, 'a frame is not JSON')
  }
  const parsed = frame.safeParse(value)
  if (parsed.success) return parsed.data
  const named = anyFrame.safeParse(value)
  if (!named.success) return refused(1008, 'a frame names no event')
  if (!KNOWN.has(named.data.event)) return { event: 'other' }
  return refused(1008, `a ${named.data.event} frame has not the shape of one`)
}
