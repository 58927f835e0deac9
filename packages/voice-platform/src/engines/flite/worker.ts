import { parentPort } from 'node:worker_threads'
import type { SynthesisJob, SynthesisResult } from './synthesis-job.js'
import { loadFlite, synthesize } from './synthesize.js'

// The entry of a voice worker thread: synthesis blocks, so it runs beside the event loop that carries the calls.
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
