import type { Command } from 'commander'
import type { Json } from '../options/json-option.js'
import { contextOf, type Terminal } from '../terminal/terminal.js'
import type { NumbersOptions } from './dnc-command.js'

const DNC_HELP = `
Numbers on the list are never called, whoever asks. Who says "stop calling me" in a call comes on it by itself.
Write numbers with + and their country code; spaces, brackets and dashes do not matter.`

const IMPORT_HELP = `
FILE is UTF-8: one number a line, or a CSV whose first row names the column "phone" (other columns are passed over).
Every line that holds no number is named, and then nothing is stored: it is all of the file, or none. Numbers that are
on the list already stay as they are.`

/** `heyline dnc …`. */
export function dncCommand(program: Command, terminal: Terminal): void {
  const context = () => contextOf(terminal)
  const dnc = program
    .command('dnc')
    .description('the do-not-call list: numbers that are never called')
    .addHelpText('after', DNC_HELP)
  const command = (words: string, description: string) =>
    dnc.command(words).description(description).option('--json', 'print JSON')

  command('add <number...>', 'put numbers on the list').action(async (numbers: string[], options: Json) =>
    (await import('./dnc-command.js')).addNumbers(context(), numbers, options),
  )
  command('remove <number>', 'take a number off the list').action(async (number: string, options: Json) =>
    (await import('./dnc-command.js')).removeNumber(context(), number, options),
  )
  command('list', 'list the numbers, with when they came on the list and through whom')
    .option('--limit <number>', 'how many, 1 to 1000 (without it 50, with --json all)')
    .option('--after <number>', 'those behind this number')
    .action(async (options: NumbersOptions) =>
      (await import('./dnc-command.js')).listNumbers(context(), options),
    )
  command('import <file>', 'put all numbers of a file on the list, or none')
    .addHelpText('after', IMPORT_HELP)
    .action(async (file: string, options: Json) =>
      (await import('./dnc-command.js')).importNumbers(context(), file, options),
    )
}
