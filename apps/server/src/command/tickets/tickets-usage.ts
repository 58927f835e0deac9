import type { Command } from 'commander'
import type { Json } from '../options/json-option.js'
import { contextOf, type Terminal } from '../terminal/terminal.js'
import type { ListOptions } from './tickets-command.js'

const TICKETS_HELP = `
A ticket is what somebody sends to POST /-/platform/support/ticket. It is kept for CALL_TRANSCRIPT_DAYS. A hosted
platform keeps its own. The commands work through the running server, or, with none running, on the database itself.`

/** `heyline tickets …`. */
export function ticketsCommand(program: Command, terminal: Terminal): void {
  const context = () => contextOf(terminal)
  const tickets = program
    .command('tickets')
    .description('support tickets that clients of the voice platform wrote')
    .addHelpText('after', TICKETS_HELP)
  const command = (words: string, description: string) =>
    tickets.command(words).description(description).option('--json', 'print JSON')

  command('list', 'list the tickets, the newest first')
    .option('--limit <number>', 'how many, 1 to 10000 (without it 50)')
    .addHelpText('after', '\nA line each: time, id, category, who wrote it where that is known, and subject.')
    .action(async (options: ListOptions) =>
      (await import('./tickets-command.js')).listTickets(context(), options),
    )
  command('show <id>', 'show a ticket with its message').action(async (id: string, options: Json) =>
    (await import('./tickets-command.js')).showTicket(context(), id, options),
  )
  command('remove <id>', 'remove a ticket, for ever').action(async (id: string, options: Json) =>
    (await import('./tickets-command.js')).removeTicket(context(), id, options),
  )
}
