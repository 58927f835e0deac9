import { runCommand } from './command/main-command.js'
import { processTerminal } from './command/terminal/process-terminal.js'

// Told to who writes; without a listener it would end the process with a stack.
process.stdout.on('error', () => {})
const ended = await runCommand(process.argv.slice(2), processTerminal)
if (ended !== undefined) process.exit(ended)
