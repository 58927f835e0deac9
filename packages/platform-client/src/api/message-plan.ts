/** What the assistant says when the customer says nothing. */
export interface MessagePlan {
  /** One of these, by chance, each time. Default: nothing is said. */
  idleMessages?: string[]
  /** Seconds of silence before an idle message, 5–60. Default 10. */
  idleTimeoutSeconds?: number
  /** Most idle messages of one call, 1–10. Default 3. */
  idleMessageMaxSpokenCount?: number
  /** The count starts anew when the customer speaks. Default false. */
  idleMessageResetCountOnUserSpeechEnabled?: boolean
  /** Said before a call ends for silence. At most 1000 characters. */
  silenceTimeoutMessage?: string
}
