import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { loadFlite, synthesize } from './synthesize.js'
import type { SynthesisJob, SynthesisResult } from './voice-thread.js'

/** As `nice` counts: 0 is the others', 19 the lowest. */
const LOW_PRIORITY = 5

// The entry of a voice worker thread. Synthesis blocks, so it must not run on the event loop of the calls.
stepBack()
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

/** The thread of the calls goes first where both want the processor. Only Linux has priorities of threads; elsewhere they are equal. */
function stepBack(): void {
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    setPriority(thread, LOW_PRIORITY)
  } catch {
    // It speaks with the priority that it has.
  }
}
