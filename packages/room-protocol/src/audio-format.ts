/** Samples a second in a socket room, both ways. PCM16, little-endian, mono. */
export const SAMPLE_RATE = 16_000

/** Length of one captured frame, in milliseconds. */
export const FRAME_MS = 20

/** Samples of one captured frame. */
export const FRAME_SAMPLES = (SAMPLE_RATE * FRAME_MS) / 1000

/** Largest binary frame either end may send, in bytes: two seconds of audio. */
export const MAX_AUDIO_BYTES = 64_000

/** Samples in one binary frame from the platform: 100 ms, so that a clear never waits for long. */
export const CHUNK_SAMPLES = SAMPLE_RATE / 10

/** Largest text frame either end may send, in characters (spec 9: message size constants). */
export const MAX_TEXT_CHARACTERS = 102_400
