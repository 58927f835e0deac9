import type { Command } from 'commander'
import type { Json } from '../options/json-option.js'
import { contextOf, type Terminal } from '../terminal/terminal.js'
import type { AddOptions, InboundOptions } from './numbers-command.js'

const NUMBERS_HELP = `
NUMBER is in the international form, such as +14155552671. With CARRIER=twilio it must be a number of the account that
can call, or one of its verified caller ids: Twilio is asked. Which number calls a visitor is for
heyline visitors update SLUG --caller-id. Numbers of a hosted platform come and go in its dashboard.`

const OVERWRITE = 'with calls to it that go elsewhere now, too'

const INBOUND_HELP = `
Sets the number's VoiceUrl at Twilio to PUBLIC_URL/-/carriers/twilio/inbound. heyline doctor says where calls to each
number go. Who answers is the assistant that called the caller lately, else the number's own.`

/** `heyline numbers …`. */
export function numbersCommand(program: Command, terminal: Terminal): void {
  const context = () => contextOf(terminal)
  const numbers = program
    .command('numbers')
    .description('the numbers that calls are made from')
    .addHelpText('after', NUMBERS_HELP)
  const command = (words: string, description: string) =>
    numbers.command(words).description(description).option('--json', 'print JSON')

  command('list', 'list the numbers, the oldest first')
    .addHelpText('after', '\nA line each: number, whom it calls, name, and the assistant that answers it.')
    .action(async (options: Json) => (await import('./numbers-command.js')).listNumbers(context(), options))
  command('of <visitor>', 'say which number calls a visitor, by slug').action(
    async (slug: string, options: Json) =>
      (await import('./numbers-command.js')).showNumberOf(context(), slug, options),
  )
  command('add <number>', 'store a number')
    .option('--name <name>', 'what it is for')
    .option('--assistant <id>', 'the assistant that answers it')
    .option('--default', 'have it call whoever has no number of their own')
    .option('--inbound', 'have Twilio send calls to it to this server')
    .option('--overwrite', OVERWRITE)
    .action(async (number: string, options: AddOptions) =>
      (await import('./numbers-command.js')).addNumber(context(), number, options),
    )
  command('inbound <number>', 'have Twilio send calls to a stored number to this server')
    .option('--assistant <id>', 'the assistant that answers it')
    .option('--overwrite', OVERWRITE)
    .addHelpText('after', INBOUND_HELP)
    .action(async (number: string, options: InboundOptions) =>
      (await import('./numbers-command.js')).receiveCalls(context(), number, options),
    )
  command('default <number>', 'have a stored number call whoever has no number of their own').action(
    async (number: string, options: Json) =>
      (await import('./numbers-command.js')).chooseDefault(context(), number, options),
  )
  command('remove <number>', 'forget a number: it stays yours at Twilio').action(
    async (number: string, options: Json) =>
      (await import('./numbers-command.js')).removeNumber(context(), number, options),
  )
}
