/** What an audio device reports to its room. */
export interface AudioDeviceHandlers {
  /** 20 ms of the microphone: PCM16 mono 16 kHz, zeros while it is off. */
  onCaptured(samples: Int16Array): void
  /** The first sample ever is being played. */
  onAudible(): void
  /** Playback has come to this mark. */
  onReached(mark: number): void
  /** What was queued is dropped; `playedMs` had been played since the last mark that was reached. */
  onCleared(clear: number, playedMs: number): void
  /** Loudness of what is played, 0 to 1, since the last time. */
  onLevel(level: number): void
  /** The browser does not let it play, nor capture; `resume` in a click does. */
  onBlocked(): void
  /** The microphone was lost, and another one is open in its place, off where that was. */
  onMicrophoneChanged(): void
  /** The microphone was lost, and there is no other: a `MicrophoneError`. */
  onMicrophoneLost(error: Error): void
}

/**
 * Microphone and loudspeaker of a socket room. The browser's own is `BrowserAudio`;
 * a test, or a program without a browser, brings another.
 */
export interface AudioDevice {
  /** The microphone's own track while it is open, echo cancelled: what the browser's speech recognition may hear, if anything. */
  readonly track?: MediaStreamTrack | undefined
  /** Begins capture. Rejects with a `MicrophoneError` when there is no microphone to be had. Called once. */
  open(handlers: AudioDeviceHandlers): Promise<void>
  /** Queues samples: PCM16 mono 16 kHz. */
  play(samples: Int16Array): void
  /** Answered with `onReached` once all that was queued before has been played; not at all if it is cleared. */
  mark(id: number): void
  /** Drops what is queued, marks too. Answered with `onCleared`. */
  clear(id: number): void
  setMicrophone(on: boolean): void
  /** Whether the browser takes noise out of the capture; left as it is where the microphone cannot. */
  setNoiseSuppression(on: boolean): Promise<void>
  /** From then on `onLevel` comes every so many milliseconds. */
  observeLevel(intervalMs: number): void
  /** Plays through this loudspeaker from now on; '' is the default one. Rejects when it cannot. */
  setOutputDevice?(deviceId: string): Promise<void>
  /** Plays what `onBlocked` told of. Rejects when the browser still refuses. */
  resume?(): Promise<void>
  /** Releases microphone and loudspeaker. Idempotent, and nothing is reported afterwards. */
  close(): void
}
