/** Where the platform sends its server messages. A server given in a request (and not saved) gets no credential sent. */
export interface Server {
  url?: string
  /** Seconds to wait for an answer, 1–300. Default 20. */
  timeoutSeconds?: number
  /** Extra headers of each message. */
  headers?: Record<string, string>
  /** A saved credential that signs or authorises the messages. */
  credentialId?: string
  /** The secret sent as `x-vapi-secret` (the older way of authorising). */
  secret?: string
  /** Not set: a message is sent once. */
  backoffPlan?: {
    type: 'fixed' | 'exponential'
    /** At most 10. */
    maxRetries: number
    /** At most 10. */
    baseDelaySeconds: number
  }
}
