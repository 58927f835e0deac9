import { parentPort, workerData } from 'node:worker_threads'
import { parseFile } from './parse-file.js'
import type { ParseJob, ParseResult } from './parser-thread.js'
import { UnreadableFile } from './section.js'

// The entry of a thread that reads one file, and ends with it. Whatever the file does to it, the calls go on.
const { kind, content } = workerData as ParseJob
const tell = (result: ParseResult) => parentPort?.postMessage(result)
try {
  tell({ sections: await parseFile(kind, content) })
} catch (error) {
  tell({
    failure: error instanceof UnreadableFile ? error.message : 'The file cannot be read: it may be damaged.',
  })
}
