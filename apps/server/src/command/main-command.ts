import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { readSettings } from '../settings/settings.js'
import { callsCommand } from './calls/calls-usage.js'
import { databaseCommand } from './db/db-usage.js'
import { dncCommand } from './dnc/dnc-usage.js'
import { doctor } from './doctor-command.js'
import { keys } from './keys-command.js'
import { personCommand } from './person/person-usage.js'
import { platformCommand } from './platform-command.js'
import { visitorsCommand } from './visitors/visitors-usage.js'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

const HELP = `
Settings come from the environment: see .env.example.
Exit codes: 0 when it is done, 1 when it is not: standard error says why in one line, and with --json as
{"error":{"code","message"}}. What was asked for is on standard output.`

/** The `heyline` command. Settings come from the environment alone; `.env.example` documents them. */
export function mainCommand({ json = false } = {}): Command {
  const program = new Command('heyline')
    .description('Personalised demo pages for a voice-AI phone assistant')
    .version(version)
    .addHelpText('after', HELP)
    .exitOverride()
    // With --json the words that are wrong are told as every other error is.
    .configureOutput({ outputError: (text, write) => (json ? undefined : write(text)) })
  program
    .command('start')
    .description('serve the pages, the backend, the call desk and the voice platform')
    .option('--dev', 'serve the page from its sources, reloading as they change')
    .action(async (options: { dev?: boolean }) => {
      // The server's code is loaded for the server alone: the other commands are done in half a second.
      const { start } = await import('./start-command.js')
      await start(readSettings(process.env), options)
    })
  visitorsCommand(program)
  callsCommand(program)
  dncCommand(program)
  personCommand(program)
  platformCommand(program)
  databaseCommand(program)
  program
    .command('doctor')
    .description(
      'check settings, files, ports, the database and every wire, and say how to mend what is wrong',
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nIt changes no setting, row or file mode; with no server running it opens the database as a start would.\nThe exit code is 1 when something has to be mended.',
    )
    .action((options: { json?: boolean }) => doctor(process.env, options))
  program
    .command('keys')
    .description('print the keys of the built-in ends')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }) => keys(readSettings(process.env), options))
  return program
}
