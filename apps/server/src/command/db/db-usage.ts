import type { Command } from 'commander'
import { contextOf, type Terminal } from '../terminal/terminal.js'
import { backup } from './backup-command.js'
import { restore } from './restore-command.js'
import { sql } from './sql-command.js'

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
    .action((file: string, options: { plain?: boolean; json?: boolean }) => backup(context(), file, options))
  command(
    'restore <file>',
    'put a backup into an empty database, or in the place of one, while no server runs',
  )
    .option('--yes', 'replace the database that is there')
    .action((file: string, options: { yes?: boolean; json?: boolean }) => restore(context(), file, options))
  command('sql [statement...]', 'run SQL while no server runs: the words given, or standard input')
    .addHelpText(
      'after',
      '\nEach statement commits by itself: begin, commit, rollback and savepoint are refused, before anything is run.',
    )
    .action((words: string[], options: { json?: boolean }) => sql(context(), words, options))
}
