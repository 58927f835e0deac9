/** Why there is no microphone: refused by the person or the browser, not there, or in use by another program. */
export type MicrophoneReason = 'denied' | 'missing' | 'busy'

const TEXTS: Record<MicrophoneReason, string> = {
  denied: 'The microphone may not be used. Allow it for this site and start again.',
  missing: 'No microphone was found. Connect one and start again.',
  busy: 'Another program uses the microphone. Close that one and start again.',
}

/** By the name of an error of `getUserMedia`, or the type of a `camera-error` of Daily's. By any other there is no microphone. */
function reasonOf(name: string): MicrophoneReason {
  if (/NotAllowed|Security|permissions/.test(name)) return 'denied'
  return /NotReadable|Abort|mic-in-use/.test(name) ? 'busy' : 'missing'
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
    return new MicrophoneError(reasonOf(name), { cause })
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
    const message = 'A microphone needs a page of https or http://localhost.'
    throw new MicrophoneError('missing', { message })
  }
  const audio = typeof source === 'string' ? { ...CONSTRAINTS, deviceId: { exact: source } } : CONSTRAINTS
  try {
    return await navigator.mediaDevices.getUserMedia({ audio })
  } catch (error) {
    throw MicrophoneError.of(error instanceof Error ? error.name : '', error)
  }
}

let permission: PermissionStatus | undefined

/** Whether the microphone may be used without a question, as far as that is known by now. */
export const isMicrophoneAllowed = (): boolean => permission?.state === 'granted'

/** Resolves once the browser says so; never where it does not, or does not tell. */
export async function untilAllowed(): Promise<void> {
  const asked = globalThis.navigator?.permissions?.query({ name: 'microphone' })
  permission = await asked?.catch(() => undefined)
  if (!isMicrophoneAllowed()) await new Promise(() => {})
}
