/** Messages to the assistant (spec 7: in-call messages). */
export type ClientMessage =
  | SayMessage
  | {
      type: 'control'
      control:
        | 'mute-assistant'
        | 'unmute-assistant'
        | 'mute-customer'
        | 'unmute-customer'
        | 'say-first-message'
      videoRecordingStartDelaySeconds?: number
    }
  | {
      type: 'add-message'
      message: { role: string; content: string }
      /** Whether the assistant answers to it. Default true. */
      triggerResponseEnabled?: boolean
    }
  | { type: 'end-call' }
  | { type: 'transfer'; destination?: Record<string, unknown>; content?: string }
  | { type: 'send-transport-message'; message: Record<string, unknown> }

/** The assistant says something now. */
export interface SayMessage extends Required<SayOptions> {
  type: 'say'
  message: string
}

export interface SayOptions {
  /** The assistant hangs up afterwards. Default false. */
  endCallAfterSpoken?: boolean
  /** The person may interrupt it. Default false. */
  interruptionsEnabled?: boolean
  /** It interrupts what the assistant is saying. Default false. */
  interruptAssistantEnabled?: boolean
}

export const sayMessage = (message: string, options?: SayOptions): SayMessage => ({
  type: 'say',
  message,
  endCallAfterSpoken: false,
  interruptionsEnabled: false,
  interruptAssistantEnabled: false,
  ...options,
})
