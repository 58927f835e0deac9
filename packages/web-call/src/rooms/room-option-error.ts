const MAX_SHOWN_CHARACTERS = 40

/** An option that a call room does not take. Says which option, its rule, and what was given; long or private values only by size. */
export class RoomOptionError extends Error {
  override readonly name = 'RoomOptionError'
  readonly code = 'room-option'
  /** Where the value was given: `userData`, `inputSettings.video.processor.config.strength`, `sendDTMF tones`, … */
  readonly option: string

  constructor(option: string, rule: string, given: string, options?: ErrorOptions) {
    super(`${option} must ${rule}, but is ${given}.`, options)
    this.option = option
  }
}

/** A value in a few words: never more of it than fits in a line. */
export function shown(value: unknown): string {
  if (typeof value === 'string')
    return value.length > MAX_SHOWN_CHARACTERS ? `text of ${value.length} characters` : JSON.stringify(value)
  if (typeof value === 'function' || typeof value === 'symbol') return `a ${typeof value}`
  if (Array.isArray(value)) return `a list of ${value.length}`
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}
