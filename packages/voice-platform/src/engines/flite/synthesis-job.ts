/** Asks a voice worker for the speech of one text. */
export interface SynthesisJob {
  id: number
  text: string
}

/** A voice worker's answer: speech, or the reason why there is none. */
export type SynthesisResult = { id: number; samples: Int16Array } | { id: number; error: string }
