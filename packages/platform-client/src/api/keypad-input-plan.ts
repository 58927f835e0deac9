/** What becomes of the keys that a caller presses. */
export interface KeypadInputPlan {
  /** Default false. */
  enabled?: boolean
  /** Seconds to wait before the keys so far are taken, 0–10. Default 2. */
  timeoutSeconds?: number
  /** A key that ends the input at once; the empty text for none. */
  delimiters?: KeypadDelimiter | KeypadDelimiter[]
}

export type KeypadDelimiter = '#' | '*' | ''
