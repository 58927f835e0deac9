/** Where the platform sends its server messages. A server given in a request (and not saved) gets no credential sent. */
export interface Server {
  url?: string
  /** Seconds to wait for an answer, 1–300. Default 20. */
  timeoutSeconds?: number
  /** Extra headers of each message. `authorization` wins over that of `credentialId`. */
  headers?: Record<string, string>
  /** A saved credential that signs or authorises the messages. */
  credentialId?: string
  /** Requests come from a fixed set of addresses. Default false. */
  staticIpAddressesEnabled?: boolean
  /** Parts of the body to encrypt, where the credential has a plan for it. */
  encryptedPaths?: string[]
  /** The secret sent as `x-vapi-secret` (the older way of authorising). */
  secret?: string
  /** Not set: a message is sent once. */
  backoffPlan?: BackoffPlan
}

/** How a request that failed is sent again. */
export interface BackoffPlan {
  /** `fixed`: the same delay each time; `exponential`: it grows. Default `fixed`. */
  type: 'fixed' | 'exponential'
  /** 0–10. Default 0. */
  maxRetries: number
  /** Seconds before the first retry, 0–10. */
  baseDelaySeconds: number
}
