import { readNumbersFile } from '../calls/numbers-file.js'
import type { Settings } from '../settings/settings.js'
import { counted } from './call-text.js'
import type { Json } from './calls-command.js'
import { withCalls } from './calls-place.js'
import { CommandError } from './command-error.js'
import { openProgress } from './progress.js'
import { RowsRefused } from './rows-refused.js'

/** `heyline dnc import FILE`: the whole file is checked first, then stored in one transaction. */
export async function importNumbers(settings: Settings, file: string, { json }: Json): Promise<void> {
  const progress = openProgress(json)
  const { phones, bad } = await readNumbersFile(file).catch((error: unknown) => {
    if (!(error instanceof Error && 'syscall' in error)) throw error
    throw new CommandError('no_file', `${file} can't be read: name a file of numbers`, { cause: error })
  })
  if (bad.length > 0) throw new RowsRefused(file, bad)
  progress.say(`checked ${counted(phones.length, 'number')}; storing them`)
  await withCalls(settings, async ({ doNotCall }) => {
    const { added } = await doNotCall.import(phones)
    const there = new Set(phones).size - added
    console.log(
      json
        ? JSON.stringify({ added, numbers: phones.length })
        : `Added ${counted(added, 'number')} to the do-not-call list${there > 0 ? `; ${there} ${there === 1 ? 'was' : 'were'} on it already` : ''}`,
    )
  })
}
