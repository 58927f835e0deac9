import type { AssistantOverrides } from './assistant.js'

/** Who is called. */
export interface Customer {
  /** The number to ring, 3–40 characters; E.164 unless `numberE164CheckEnabled` is false. */
  number?: string
  /** False allows any letters and digits, for the numbers of own SIP trunks. Default true. */
  numberE164CheckEnabled?: boolean
  /** Dialled after the answer; at most 10 characters. */
  extension?: string
  /** A SIP address in place of a number. */
  sipUri?: string
  /** At most 40 characters. */
  name?: string
  /** At most 40 characters. */
  email?: string
  /** The developer's own id of this customer; at most 40 characters. */
  externalId?: string
  /** Overrides for this customer of a batch. */
  assistantOverrides?: AssistantOverrides
}
