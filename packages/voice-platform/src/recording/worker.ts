import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { RecordingDesk } from './recording-desk.js'
import { recordingDisk } from './recording-disk.js'
import type { RecordingAnswer, RecordingJob } from './recording-messages.js'

/** As `nice` counts: 0 is the others', 19 the lowest. */
const LOW_PRIORITY = 5

// The entry of the thread that encodes and writes recordings: neither may hold up the sound of the calls.
stepBack()

const desk = new RecordingDesk({
  diskOf: recordingDisk,
  answer: (message: RecordingAnswer) => parentPort?.postMessage(message),
})
parentPort?.on('message', (job: RecordingJob) => desk.take(job))

/** The thread of the calls goes first where both want the processor. Only Linux has priorities of threads; elsewhere they are equal. */
function stepBack(): void {
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    setPriority(thread, LOW_PRIORITY)
  } catch {
    // It writes with the priority that it has.
  }
}
