import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A caller who is silent for `SPEECH_AFTER_MS`, asks one question, and is silent again. Made by the global setup. */
export const SPEECH = join(tmpdir(), 'heyline-e2e-speech.wav')
export const SPEECH_AFTER_MS = 4_000

/** What the browser hears where a test gives it nothing else: silence. Made by the global setup. */
export const SILENCE = join(tmpdir(), 'heyline-e2e-silence.wav')

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--autoplay-policy=no-user-gesture-required',
  '--use-fake-ui-for-media-stream',
  '--use-fake-device-for-media-stream',
]

/** Flags of a Chromium whose microphone plays a WAV file, once. */
export const flagsWithMicrophone = (wav: string): string[] => [
  ...FLAGS,
  `--use-file-for-fake-audio-capture=${wav}%noloop`,
]

export const CHROMIUM_FLAGS = flagsWithMicrophone(SILENCE)
