import { CommanderError } from 'commander'
import { mainCommand } from './command/main-command.js'
import { complain } from './command/terminal/complaint.js'
import { OutputClosed } from './command/terminal/output.js'

// Told to who writes; without a listener it would end the process with a stack.
process.stdout.on('error', () => {})
const json = process.argv.includes('--json')
try {
  await mainCommand({ json }).parseAsync()
} catch (error) {
  // Help and version end a command, too, and are no failure; nor is who reads no more.
  if (error instanceof OutputClosed || (error instanceof CommanderError && error.exitCode === 0))
    process.exit(0)
  complain(error, json)
  process.exit(1)
}
