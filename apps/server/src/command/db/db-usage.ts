import type { Command } from 'commander'
import { readSettings } from '../../settings/settings.js'
import { backup, restore } from './db-command.js'
import { sql } from './sql-command.js'

const settings = () => readSettings(process.env)

/** `heyline db …`. */
export function databaseCommand(program: Command): void {
  const db = program.command('db').description('the built-in database (a Postgres has its own tools)')
  const command = (words: string, description: string) =>
    db.command(words).description(description).option('--json', 'print JSON')

  command('backup <file>', 'write the whole database to a file, also while the server runs').action(
    (file: string, options: { json?: boolean }) => backup(settings(), file, options),
  )
  command('restore <file>', 'put a backup in the place of the database, while no server runs')
    .option('--yes', 'replace the database that is there')
    .action((file: string, options: { yes?: boolean; json?: boolean }) => restore(settings(), file, options))
  command('sql [statement...]', 'run SQL while no server runs: the words given, or standard input')
    .addHelpText(
      'after',
      '\nEach statement commits by itself: begin, commit, rollback and savepoint are refused, before anything is run.',
    )
    .action((words: string[], options: { json?: boolean }) => sql(settings(), words, options))
}
