import { processTerminal } from './command/terminal/process-terminal.js'
import { headStart } from './start/head-start.js'

const words = process.argv.slice(2)
headStart(words, processTerminal)
const { runCommand } = await import('./command/main-command.js')
// Told to who writes; without a listener it would end the process with a stack.
process.stdout.on('error', () => {})
const ended = await runCommand(words, processTerminal)
if (ended !== undefined) process.exit(ended)
