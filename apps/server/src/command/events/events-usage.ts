import { EVENT_TYPES } from '@heyline/timeline/schemas'
import type { Command } from 'commander'
import type { Json } from '../options/json-option.js'
import { contextOf, type Terminal } from '../terminal/terminal.js'
import type { FilterOptions, ListOptions } from './events-command.js'

const EVENTS_HELP = `
Types: ${EVENT_TYPES.slice(0, 7).join(', ')},
${EVENT_TYPES.slice(7).join(', ')}.
The commands work through the running server, or, with none running, on the database itself; tail then on a Postgres
(DATABASE_URL) only, where other servers may be at work. Times are UTC.`

/** `heyline events …`. */
export function eventsCommand(program: Command, terminal: Terminal): void {
  const context = () => contextOf(terminal)
  const events = program
    .command('events')
    .description('what happened: who opened their page, who called, what came of it')
    .addHelpText('after', EVENTS_HELP)
  const command = (words: string, description: string, json = 'print JSON') =>
    events.command(words).description(description).option('--json', json)
  const filtered = (words: string, description: string, json?: string) =>
    command(words, description, json)
      .option('--slug <slug>', 'those of this visitor')
      .option('--type <types>', 'those of these types, with commas between them')
      .option('--since <time>', 'since then: 30s, 30m, 24h, 7d, or a time like 2026-11-20T09:00Z')

  filtered('list', 'list the events, the newest first')
    .option('--limit <number>', 'how many, 1 to 1000 (without it 50)')
    .option('--before <number>', 'the page after one that said so')
    .addHelpText(
      'after',
      '\nA line each: time, id, type, the visitor’s slug, the call, who did it and what is known of it.',
    )
    .action(async (options: ListOptions) =>
      (await import('./events-command.js')).listEvents(context(), options),
    )
  command('show <id>', 'show an event')
    .addHelpText('after', '\nOf the id, six characters are enough where no other begins so.')
    .action(async (id: string, options: Json) =>
      (await import('./events-command.js')).showEvent(context(), id, options),
    )
  command('tail', 'follow the events: a line each, until interrupted', 'one JSON a line')
    .addHelpText('after', '\nIt begins with the next event; heyline events list shows what was before.')
    .action(async (options: Json) => (await import('./events-command.js')).tailEvents(context(), options))
  filtered(
    'export [file]',
    'write all events as CSV, the oldest first',
    'write JSON instead, one event a line',
  )
    .addHelpText('after', '\nWithout FILE to standard output.')
    .action(async (file: string | undefined, options: FilterOptions) =>
      (await import('./events-command.js')).exportEvents(context(), file, options),
    )
}
