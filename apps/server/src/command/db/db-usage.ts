import type { Command } from 'commander'
import { contextOf, type Terminal } from '../terminal/terminal.js'

/** `heyline db …`. */
export function databaseCommand(program: Command, terminal: Terminal): void {
  const context = () => contextOf(terminal)
  const db = program.command('db').description('back up the database, restore it, and run SQL')
  const command = (words: string, description: string) =>
    db.command(words).description(description).option('--json', 'print JSON')

  command(
    'backup <file>',
    'write the database and its keys to a file that is sealed with HEYLINE_SECRET, also while servers run',
  )
    .option('--plain', 'seal nothing: whoever has the file can read it')
    .action(async (file: string, options: { plain?: boolean; json?: boolean }) =>
      (await import('./backup-command.js')).backup(context(), file, options),
    )
  command(
    'restore <file>',
    'put a backup into an empty database, or in the place of one, while no server runs',
  )
    .option('--yes', 'replace the database that is there')
    .action(async (file: string, options: { yes?: boolean; json?: boolean }) =>
      (await import('./restore-command.js')).restore(context(), file, options),
    )
  command('sql [statement...]', 'run SQL while no server runs: the words given, or standard input')
    .addHelpText(
      'after',
      '\nEach statement commits by itself: begin, commit, rollback and savepoint are refused, before anything is run.',
    )
    .action(async (words: string[], options: { json?: boolean }) =>
      (await import('./sql-command.js')).sql(context(), words, options),
    )
}
