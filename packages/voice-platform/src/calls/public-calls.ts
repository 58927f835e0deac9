/** What the public key may start. Everybody who reads the page has it. */
export interface PublicCalls {
  /** False: the public key starts nothing. True by default. */
  allowed?: boolean
  /** Longest call that the public key starts, in seconds; 600 by default. */
  maxSeconds?: number
  /** Asked before each call that the public key or a public token starts. Nothing is asked where it is left out. The body is read already. */
  admit?(request: Request): Promise<PublicCallAdmission>
}

/** Whether a public call may begin. Whoever is admitted hears of the call: `started` once it is made, `failed` where it was not. */
export type PublicCallAdmission =
  | { admitted: true; maxSeconds: number; started(callId: string): Promise<void>; failed(): Promise<void> }
  | { admitted: false; status: 403 | 429 | 503; message: string; retryAfterSeconds?: number }
