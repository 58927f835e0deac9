import { type ParseJob, type ParseResult, parserThreads } from './parser-thread.js'
import { UnreadableFile } from './section.js'

// The entry of a process that reads one file, in a thread with bounds. It ends with the server that has started it.
process.once('disconnect', () => process.exit())
process.once('message', (job: ParseJob) => {
  void answerTo(job).then((answer) => process.send?.(answer))
})

async function answerTo(job: ParseJob): Promise<ParseResult> {
  try {
    return { sections: await parserThreads()(job) }
  } catch (error) {
    return {
      failure:
        error instanceof UnreadableFile ? error.message : 'The file cannot be read: it may be damaged.',
    }
  }
}
