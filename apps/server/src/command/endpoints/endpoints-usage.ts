import { EVENT_TYPES } from '@heyline/timeline/schemas'
import type { Command } from 'commander'
import type { Json } from '../options/json-option.js'
import { contextOf, type Terminal } from '../terminal/terminal.js'
import type { AddOptions, LogOptions } from './endpoints-command.js'

const ENDPOINTS_HELP = `
An endpoint is somebody to tell what happens. ENDPOINT is its name, or its id, of which six characters are enough.
The commands work through the running server, or, with none running, on the database itself. A test is sent at once
either way; what is replayed is sent by the next server that starts. Times are UTC.`
const ADD_HELP = `
TARGET is an https address, or for email one e-mail address. A webhook's secret is printed this once.
Types: ${EVENT_TYPES.slice(0, 7).join(', ')},
${EVENT_TYPES.slice(7).join(', ')}.`

/** `heyline endpoints …`. */
export function endpointsCommand(program: Command, terminal: Terminal): void {
  const context = () => contextOf(terminal)
  const endpoints = program
    .command('endpoints')
    .description('whom to tell what happens: webhooks, Slack channels, people by e-mail')
    .addHelpText('after', ENDPOINTS_HELP)
  const command = (words: string, description: string) =>
    endpoints.command(words).description(description).option('--json', 'print JSON')

  command('list', 'list the endpoints, the oldest first')
    .addHelpText(
      'after',
      '\nA line each: id, name, kind, target, events, state, and how many wait or were given up.',
    )
    .action(async (options: Json) =>
      (await import('./endpoints-command.js')).listEndpoints(context(), options),
    )
  command('add <name> <target>', 'add somebody to tell')
    .option('--kind <kind>', 'webhook, slack or email (without it webhook)')
    .option('--events <types>', 'those of these types, with commas between them (without it all)')
    .option('--digest', 'email only: one mail a day at 08:00 UTC')
    .addHelpText('after', ADD_HELP)
    .action(async (name: string, target: string, options: AddOptions) =>
      (await import('./endpoints-command.js')).addEndpoint(context(), name, target, options),
    )
  command('remove <endpoint>', 'remove an endpoint with what waits for it and with its log').action(
    async (which: string, options: Json) =>
      (await import('./endpoints-command.js')).removeEndpoint(context(), which, options),
  )
  command('test <endpoint>', 'send a test at once, and say what came of it')
    .addHelpText('after', '\nIt fails (exit code 1) where the test was not delivered.')
    .action(async (which: string, options: Json) =>
      (await import('./endpoints-command.js')).testEndpoint(context(), which, options),
    )
  command('replay <endpoint> [event]', 'send one event again, or all that were given up')
    .addHelpText('after', '\nEVENT is a whole id, as heyline endpoints log shows it.')
    .action(async (which: string, event: string | undefined, options: Json) =>
      (await import('./endpoints-command.js')).replayEndpoint(context(), which, event, options),
    )
  command('log <endpoint>', 'show what became of each event, the newest first')
    .option('--tries', 'show each try instead')
    .option('--state <state>', 'those that are pending, delivered or dead (given up)')
    .option('--limit <number>', 'how many, 1 to 200 (without it 50)')
    .option('--before <number>', 'the page after one that said so')
    .action(async (which: string, options: LogOptions) =>
      (await import('./endpoints-command.js')).showLog(context(), which, options),
    )
}
