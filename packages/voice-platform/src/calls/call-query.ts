import { z } from 'zod'
import { pageWindow } from '../resources/list-page.js'
import { listWindow } from '../resources/list-window.js'

const id = z.uuid()
const text = z.string().max(100)

/** What every list of calls can be narrowed by. */
const speaker = { id: id.optional(), assistantId: id.optional(), phoneNumberId: id.optional() }

/** Query of `GET /call`. */
export const listCalls = z.strictObject({ ...listWindow, ...speaker })

/** Query of `GET /v2/call` and `GET /v2/call/metadata`. What nothing is known of here (costs, evaluations) is refused. */
export const listCallsPage = z.strictObject({
  ...pageWindow,
  ...speaker,
  idAny: z.array(id).max(1000).optional(),
  endedReason: text.optional(),
  number: z.string().min(3).max(40).optional(),
  numberE164CheckEnabled: z.enum(['true', 'false']).optional(),
  extension: z.string().max(10).optional(),
  sipUri: text.optional(),
  name: z.string().max(40).optional(),
  email: z.string().max(40).optional(),
  externalId: z.string().max(40).optional(),
})

/** Body of `PATCH /call/{id}`. */
export const updateCall = z.strictObject({ name: z.string().max(40).optional() })
