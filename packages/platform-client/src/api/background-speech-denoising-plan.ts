/** What is taken out of the customer's sound. Both may be on; the second then comes after the first. */
export interface BackgroundSpeechDenoisingPlan {
  /** Krisp's filter. Default off. */
  smartDenoisingPlan?: { enabled?: boolean }
  fourierDenoisingPlan?: FourierDenoisingPlan
}

/** A filter by loudness; experimental. */
export interface FourierDenoisingPlan {
  /** Default false. */
  enabled?: boolean
  /** Filters harder while a television, music or a radio is heard. Default true. */
  mediaDetectionEnabled?: boolean
  /** Decibels, -80–0, while there is no baseline. Default -35. */
  staticThreshold?: number
  /** Decibels below the baseline, -30 to -5. Default -15. */
  baselineOffsetDb?: number
  /** Milliseconds that the baseline comes from, 1000–30,000. Default 3000. */
  windowSizeMs?: number
  /** 1–99. Default 85. */
  baselinePercentile?: number
}
