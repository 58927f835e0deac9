import { Command, CommanderError } from 'commander'
import { takeEnvFile } from '../settings/env-file.js'
import { VERSION } from '../version.js'
import { assistantCommand } from './assistant/assistant-usage.js'
import { callsCommand } from './calls/calls-usage.js'
import { databaseCommand } from './db/db-usage.js'
import { dncCommand } from './dnc/dnc-usage.js'
import { endpointsCommand } from './endpoints/endpoints-usage.js'
import { eventsCommand } from './events/events-usage.js'
import { numbersCommand } from './numbers/numbers-usage.js'
import { operatorsCommand } from './operators/operators-usage.js'
import { personCommand } from './person/person-usage.js'
import { platformCommand } from './platform-usage.js'
import { staticCommand } from './static-command.js'
import { complain } from './terminal/complaint.js'
import { OutputClosed } from './terminal/output.js'
import { contextOf, type Terminal } from './terminal/terminal.js'
import { ticketsCommand } from './tickets/tickets-usage.js'
import { visitorsCommand } from './visitors/visitors-usage.js'

const HELP = `
Settings come from the environment and from .env in this folder: see .env.example.
The exit code is 0 if the command succeeded, else 1. Standard error then says why in one line, with --json as
{"error":{"code","message"}}. The result is on standard output.`

interface MainCommandOptions {
  terminal: Terminal
  json?: boolean
}

/** The `heyline` command. Settings come from the environment and its file; `.env.example` documents them. */
export function mainCommand({ terminal, json = false }: MainCommandOptions): Command {
  const program = new Command('heyline')
    .description('Personalised demo pages for a voice-AI phone assistant')
    .version(VERSION)
    .addHelpText('after', HELP)
    .exitOverride()
    // With --json the words that are wrong are told as every other error is.
    .configureOutput({
      outputError: (text, write) => (json ? undefined : write(text)),
      writeOut: (text) => terminal.out.write(text),
      writeErr: (text) => terminal.err.write(text),
      getOutHelpWidth: () => widthOf(terminal.out),
      getErrHelpWidth: () => widthOf(terminal.err),
    })
  program
    .command('start')
    .description('serve the pages, the backend, the call desk and the voice platform')
    .option('--dev', 'serve the page from its sources, reloading as they change')
    .action(async (options: { dev?: boolean }) => {
      // The server's code is loaded for the server alone: the other commands are done in half a second.
      const { start } = await import('./start-command.js')
      await start(contextOf(terminal), options)
    })
  program.hook('preAction', (_, action) => {
    const { env, directory } = terminal
    const taken = directory === undefined ? undefined : takeEnvFile(env, directory)
    if (taken === undefined || json) return
    // The results of other commands are on standard output.
    if (action.name() === 'start') terminal.log(taken)
    else terminal.error(taken)
  })
  visitorsCommand(program, terminal)
  assistantCommand(program, terminal)
  callsCommand(program, terminal)
  eventsCommand(program, terminal)
  endpointsCommand(program, terminal)
  dncCommand(program, terminal)
  personCommand(program, terminal)
  numbersCommand(program, terminal)
  ticketsCommand(program, terminal)
  platformCommand(program, terminal)
  operatorsCommand(program, terminal)
  databaseCommand(program, terminal)
  staticCommand(program, terminal)
  program
    .command('doctor')
    .description(
      'check settings, files, ports, the database and every wire, and say how to fix what is wrong',
    )
    .option('--public', 'check from outside in, by requests to PUBLIC_URL: name, TLS, proxy, calls')
    .option('--no-speech', 'let the engines speak no sentence, which hosted ones may charge for')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nIt changes no setting, row or file mode; with no server running it opens the database as a start would.\nThe exit code is 1 if something has to be fixed.',
    )
    .action(async (options: { json?: boolean; speech?: boolean; public?: boolean }) =>
      (await import('./doctor-command.js')).doctor(terminal, options),
    )
  program
    .command('secret')
    .description('print a new HEYLINE_SECRET: all keys derive from it, and it seals the backups')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) =>
      (await import('./secret-command.js')).secret(terminal, options),
    )
  program
    .command('phone')
    .description('print the link that opens the pocket phone')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) =>
      (await import('./phone-command.js')).phone(contextOf(terminal), options),
    )
  const keyring = program
    .command('keys')
    .description('print the keys of the built-in ends')
    .option('--env', 'print them as settings, a line each, as .env has them')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean; env?: boolean }) =>
      (await import('./keys-command.js')).keys(contextOf(terminal), options),
    )
  keyring
    .command('rotate')
    .description('sign access tokens of operators with a new key from now on')
    .option('--json', 'print JSON')
    .action(async (_: unknown, command: Command) =>
      (await import('./change-keys.js')).rotateKeys(contextOf(terminal), command.optsWithGlobals()),
    )
  keyring
    .command('accept')
    .description('after a change on purpose: the keys of these settings are those of all servers from now on')
    .option('--json', 'print JSON')
    .action(async (_: unknown, command: Command) =>
      (await import('./change-keys.js')).acceptOwnKeys(contextOf(terminal), command.optsWithGlobals()),
    )
  return program
}

const widthOf = ({ columns = 80 }: Terminal['out']) => columns

/**
 * Runs the command, and says why where it fails. Resolves with the exit code where it ends at once, with undefined where
 * it ends by itself: then the code is the terminal's, and a server goes on.
 */
export async function runCommand(words: string[], terminal: Terminal): Promise<number | undefined> {
  const json = words.includes('--json')
  try {
    await mainCommand({ terminal, json }).parseAsync(words, { from: 'user' })
    return undefined
  } catch (error) {
    // Help and version end a command, too, and are no failure; nor is who reads no more.
    if (error instanceof OutputClosed || (error instanceof CommanderError && error.exitCode === 0)) return 0
    complain(error, json, terminal)
    return 1
  }
}
