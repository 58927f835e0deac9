/** What Twilio is told of a call. */
export interface TransportConfiguration {
  provider: 'twilio'
  /** Seconds to ring, 1–600. Default 60. */
  timeout?: number
  /** Twilio keeps a recording of its own. Default false. */
  record?: boolean
  /** Default `mono`. */
  recordingChannels?: 'mono' | 'dual'
}
