/** Why there is no microphone: refused by the person or the browser, not there, or in use by another program. */
export type MicrophoneReason = 'denied' | 'missing' | 'busy'

const TEXTS: Record<MicrophoneReason, string> = {
  denied: 'The microphone may not be used. Allow it for this site in the browser and start again.',
  missing: 'No microphone was found. Connect one and start again.',
  busy: 'The microphone is in use by another program. Close that program and start again.',
}

/** Names of `getUserMedia`'s errors, and the types of Daily's `camera-error`. */
const REASONS: Record<string, MicrophoneReason> = {
  NotAllowedError: 'denied',
  SecurityError: 'denied',
  permissions: 'denied',
  NotReadableError: 'busy',
  AbortError: 'busy',
  'mic-in-use': 'busy',
  'cam-mic-in-use': 'busy',
  NotFoundError: 'missing',
  OverconstrainedError: 'missing',
  'not-found': 'missing',
  constraints: 'missing',
  'undefined-mediadevices': 'missing',
}

export class MicrophoneError extends Error {
  override readonly name = 'MicrophoneError'
  readonly code = 'microphone-error'
  readonly reason: MicrophoneReason

  constructor(reason: MicrophoneReason, options?: ErrorOptions & { message?: string }) {
    super(options?.message ?? TEXTS[reason], options)
    this.reason = reason
  }

  /** From the name of a `getUserMedia` error or the type of a Daily `camera-error`. */
  static of(name: string, cause?: unknown): MicrophoneError {
    return new MicrophoneError(REASONS[name] ?? 'missing', { cause })
  }
}

const CONSTRAINTS = { echoCancellation: true, noiseSuppression: true, autoGainControl: true, channelCount: 1 }

/**
 * Asks for the microphone: the default one for `true`, that of a device id for a string, the given track for a track.
 * Needs a secure page: https, or http on localhost. Rejects with a `MicrophoneError`.
 */
export async function openMicrophone(source: string | true | MediaStreamTrack): Promise<MediaStream> {
  if (typeof source === 'object') return new MediaStream([source])
  if (!navigator.mediaDevices) {
    const message =
      'A microphone can be used on https pages and on http://localhost only. Open the page there.'
    throw new MicrophoneError('missing', { message })
  }
  const audio = typeof source === 'string' ? { ...CONSTRAINTS, deviceId: { exact: source } } : CONSTRAINTS
  try {
    return await navigator.mediaDevices.getUserMedia({ audio })
  } catch (error) {
    throw MicrophoneError.of(error instanceof Error ? error.name : '', error)
  }
}
