import { SAMPLE_RATE } from '@heyline/room-protocol'
import { z } from 'zod'
import { assistantFields, callName } from './call-request.js'

/** The transport of calls over a plain WebSocket (https://docs.vapi.ai/calls/websocket-transport). */
export const SOCKET_TRANSPORT = 'vapi.websocket'

/** The one format of the audio, both ways, which is the hosted platform's default. */
export const SOCKET_AUDIO = { format: 'pcm_s16le', container: 'raw', sampleRate: SAMPLE_RATE } as const

/** Nobody is phoned. The hosted platform refuses the numbers too. */
const ofPhoneCalls = z
  .unknown()
  .refine((value) => value === undefined, {
    error: `belongs to a phone call: leave it out with transport.provider ${SOCKET_TRANSPORT}`,
  })
  .optional()

/** Body of `POST /call` with `transport.provider` `vapi.websocket`. */
export const createSocketCall = z.strictObject({
  ...assistantFields,
  name: callName,
  transport: z.strictObject({
    provider: z.literal(SOCKET_TRANSPORT),
    audioFormat: z
      .strictObject({
        format: z.literal(SOCKET_AUDIO.format).optional(),
        container: z.literal(SOCKET_AUDIO.container).optional(),
        sampleRate: z.literal(SOCKET_AUDIO.sampleRate).optional(),
      })
      .optional(),
  }),
  phoneNumberId: ofPhoneCalls,
  phoneNumber: ofPhoneCalls,
  customer: ofPhoneCalls,
  customerId: ofPhoneCalls,
  customers: ofPhoneCalls,
  schedulePlan: ofPhoneCalls,
})

const named = z.looseObject({ transport: z.looseObject({ provider: z.literal(SOCKET_TRANSPORT) }) })

/** Whether a body of `POST /call` asks for a call over a socket. */
export const asksForSocket = (body: unknown): boolean => named.safeParse(body).success
