import { parentPort } from 'node:worker_threads'
import { loadFlite, synthesize } from './synthesize.js'
import type { SynthesisJob, SynthesisResult } from './voice-thread.js'

// The entry of a voice worker thread. Synthesis blocks, so it must not run on the event loop of the calls.
loadFlite()

parentPort?.on('message', ({ id, text }: SynthesisJob) => {
  try {
    const samples = synthesize(text)
    parentPort?.postMessage({ id, samples } satisfies SynthesisResult, [samples.buffer as ArrayBuffer])
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    parentPort?.postMessage({ id, error: reason } satisfies SynthesisResult)
  }
})
