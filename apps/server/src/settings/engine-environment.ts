import { z } from 'zod'
import { engineUrl, listed, TRANSCRIBER_KINDS, VOICE_KINDS } from './engine-values.js'
import { setting } from './setting.js'
import { baseUrl, secret } from './value.js'

const text = z.string()
const transcriberKind = z.enum(TRANSCRIBER_KINDS, { error: `is none of ${TRANSCRIBER_KINDS.join(', ')}` })
const voiceKind = z.enum(VOICE_KINDS, { error: `is none of ${VOICE_KINDS.join(', ')}` })

const KIND_MEANING =
  'What the server speaks. Without a value the address says it: `tcp:` is `wyoming`, a host of Deepgram or ElevenLabs is theirs, any other `wss:` is `openai-realtime` (of a transcriber), and the rest is `openai`.'

const fallbackMeaning = (kind: string) =>
  `A second server, which takes over when \`${kind}_URL\` fails in a call, for a minute at a time.`

/** The engines of the built-in platform, and the second one of each. */
export const engineEnvironment = {
  MODEL_URL: setting(baseUrl, {
    meaning: 'Asked with `POST /chat/completions`, and answers in a stream.',
    examples: [
      'OpenAI: `https://api.openai.com/v1`, with a key',
      'Ollama: `http://localhost:11434/v1`, with a `MODEL_NAME` such as `llama3.2`',
    ],
  }),
  MODEL_KEY: setting(secret(1), { meaning: 'The key of that server.' }),
  MODEL_NAME: setting(text, { meaning: 'Replaces the model that a call names.' }),
  TRANSCRIBER_URL: setting(engineUrl, {
    meaning:
      'An OpenAI-compatible server is asked with `POST /audio/transcriptions` and a WAV file. The other kinds (`TRANSCRIBER_KIND`) are named by their own addresses.',
    examples: [
      'OpenAI: `https://api.openai.com/v1`, with a key',
      'faster-whisper (Speaches): `http://localhost:8000/v1`, with a `TRANSCRIBER_NAME` such as `Systran/faster-whisper-small`',
      'Deepgram: `wss://api.deepgram.com`; ElevenLabs: `wss://api.elevenlabs.io`; OpenAI while the caller speaks: `wss://api.openai.com/v1`; each with a key',
      'Wyoming on this machine: `tcp://127.0.0.1:10300`',
      'whisper.cpp: its server, started with `--inference-path /v1/audio/transcriptions`',
    ],
  }),
  TRANSCRIBER_KEY: setting(secret(1), { meaning: 'The key of that server.' }),
  TRANSCRIBER_NAME: setting(text, {
    meaning:
      'The model. Without a value: `whisper-1`, `gpt-4o-transcribe`, `nova-3` or `scribe_v2_realtime`, as the kind has it.',
  }),
  VOICE_URL: setting(engineUrl, {
    meaning:
      'An OpenAI-compatible server is asked with `POST /audio/speech`, and answers with PCM of 24 kHz. The other kinds (`VOICE_KIND`) are named by their own addresses.',
    examples: [
      'OpenAI: `https://api.openai.com/v1`, with a key',
      'Deepgram: `wss://api.deepgram.com`; ElevenLabs: `wss://api.elevenlabs.io`; each with a key',
      'Wyoming (Piper) on this machine: `tcp://127.0.0.1:10200`',
      'Kokoro (Kokoro-FastAPI): `http://localhost:8880/v1`, with the `VOICE_NAME` `kokoro`',
    ],
  }),
  VOICE_KEY: setting(secret(1), { meaning: 'The key of that server.' }),
  VOICE_NAME: setting(text, {
    meaning: 'The model. Without a value: `tts-1`, or `eleven_flash_v2_5`. With Deepgram a model is a voice.',
  }),
  VOICE_ID: setting(text, {
    meaning:
      'The voice of an assistant that names none, or one that the server refuses. Without a value: `alloy`, `aura-2-thalia-en`, or the `21m00Tcm4TlvDq8ikWAM` of ElevenLabs.',
  }),
  TRANSCRIBER_KIND: setting(transcriberKind, {
    meaning: `${KIND_MEANING} One of ${listed(TRANSCRIBER_KINDS)}.`,
  }),
  VOICE_KIND: setting(voiceKind, { meaning: `${KIND_MEANING} One of ${listed(VOICE_KINDS)}.` }),
  MODEL_FALLBACK_URL: setting(baseUrl, { meaning: fallbackMeaning('MODEL') }),
  MODEL_FALLBACK_KEY: setting(secret(1), { meaning: 'Its key.' }),
  MODEL_FALLBACK_NAME: setting(text, { meaning: 'Its model.' }),
  TRANSCRIBER_FALLBACK_URL: setting(engineUrl, { meaning: fallbackMeaning('TRANSCRIBER') }),
  TRANSCRIBER_FALLBACK_KEY: setting(secret(1), { meaning: 'Its key.' }),
  TRANSCRIBER_FALLBACK_NAME: setting(text, { meaning: 'Its model.' }),
  TRANSCRIBER_FALLBACK_KIND: setting(transcriberKind, { meaning: 'As `TRANSCRIBER_KIND`.' }),
  VOICE_FALLBACK_URL: setting(engineUrl, { meaning: fallbackMeaning('VOICE') }),
  VOICE_FALLBACK_KEY: setting(secret(1), { meaning: 'Its key.' }),
  VOICE_FALLBACK_NAME: setting(text, { meaning: 'Its model.' }),
  VOICE_FALLBACK_ID: setting(text, { meaning: 'Its voice, in every call.' }),
  VOICE_FALLBACK_KIND: setting(voiceKind, { meaning: 'As `VOICE_KIND`.' }),
}
