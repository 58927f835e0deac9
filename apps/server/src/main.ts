import { CommanderError } from 'commander'
import { complain } from './command/complaint.js'
import { mainCommand } from './command/main-command.js'

const json = process.argv.includes('--json')
try {
  await mainCommand({ json }).parseAsync()
} catch (error) {
  // Help and version end a command, too, and are no failure.
  if (error instanceof CommanderError && error.exitCode === 0) process.exit(0)
  complain(error, json)
  process.exit(1)
}
