/** The WebSocket subprotocol between the simulated carrier and its pocket phones. */
export const PHONE_PROTOCOL = 'phone.v1'

/** Carrier to phone. */
export type PhoneServerMessage =
  /** Ring: somebody calls. Sent to every open phone. */
  | { type: 'ring'; callId: string; from: string; to: string }
  /** This phone won the call: join the room at this address. */
  | { type: 'answered'; callId: string; roomUrl: string }
  /** Stop ringing. */
  | { type: 'stop'; callId: string; reason: 'answered-elsewhere' | 'canceled' | 'no-answer' }
  /** A text message has come. Sent to every open phone, and again to one that opens within two minutes, with the same id. */
  | { type: 'text'; id: string; from: string; to: string; body: string }
  /** The answer to a `ping`, at once. */
  | { type: 'pong' }

/**
 * Phone to carrier. A `decline` after `answered` means that the phone could not join, or that the person hung up first. A `ping` asks
 * whether the line still stands. Ten at once and five a second are answered.
 */
export type PhoneClientMessage =
  | { type: 'answer'; callId: string }
  | { type: 'decline'; callId: string }
  | { type: 'ping' }
