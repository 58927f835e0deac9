import type { Command } from 'commander'
import { contextOf, type Terminal } from '../terminal/terminal.js'
import type { EraseOptions, PersonOptions } from './person-command.js'

const VISITOR = 'everything about this visitor and the calls from the page, instead of a number'

const PERSON_HELP = `
A person is a telephone number, with + and its country code, or a visitor: --visitor SLUG.`

const EXPORT_HELP = `
One JSON document: {"person", "exportedAt", "tables": {"schema.table": [rows]}}. Without FILE to standard output.`

const ERASE_HELP = `
The number's entry on the do-not-call list stays. The ledger keeps what was spent, without the person. While a call of the
person runs, nothing is erased. A hosted platform has records of its own: the ids of its calls are printed.`

/** `heyline person …`. */
export function personCommand(program: Command, terminal: Terminal): void {
  const context = () => contextOf(terminal)
  const person = program
    .command('person')
    .description('export or erase everything that is stored about a person')
    .addHelpText('after', PERSON_HELP)
  person
    .command('export [number] [file]')
    .description('write everything about a person as JSON')
    .option('--visitor <slug>', VISITOR)
    .option('--json', 'print errors as JSON')
    .addHelpText('after', EXPORT_HELP)
    .action(async (number: string | undefined, file: string | undefined, options: PersonOptions) =>
      (await import('./person-command.js')).exportPerson(context(), given(number, file), options),
    )
  person
    .command('erase [number]')
    .description('delete everything about a person')
    .option('--visitor <slug>', VISITOR)
    .option('--yes', 'really do it')
    .option('--json', 'print JSON')
    .addHelpText('after', ERASE_HELP)
    .action(async (number: string | undefined, options: EraseOptions) =>
      (await import('./person-command.js')).erasePerson(context(), given(number), options),
    )
}

const given = (...words: (string | undefined)[]): string[] => words.filter((word) => word !== undefined)
