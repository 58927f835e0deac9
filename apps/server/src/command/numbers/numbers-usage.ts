import type { Command } from 'commander'
import type { Json } from '../options/json-option.js'
import { contextOf, type Terminal } from '../terminal/terminal.js'
import {
  type AddOptions,
  addNumber,
  chooseDefault,
  type InboundOptions,
  listNumbers,
  receiveCalls,
  removeNumber,
  showNumberOf,
} from './numbers-command.js'

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
    .action((options: Json) => listNumbers(context(), options))
  command('of <visitor>', 'say which number calls a visitor, by slug').action((slug: string, options: Json) =>
    showNumberOf(context(), slug, options),
  )
  command('add <number>', 'store a number')
    .option('--name <name>', 'what it is for')
    .option('--assistant <id>', 'the assistant that answers it')
    .option('--default', 'have it call whoever has no number of their own')
    .option('--inbound', 'have Twilio send calls to it to this server')
    .option('--overwrite', OVERWRITE)
    .action((number: string, options: AddOptions) => addNumber(context(), number, options))
  command('inbound <number>', 'have Twilio send calls to a stored number to this server')
    .option('--assistant <id>', 'the assistant that answers it')
    .option('--overwrite', OVERWRITE)
    .addHelpText('after', INBOUND_HELP)
    .action((number: string, options: InboundOptions) => receiveCalls(context(), number, options))
  command('default <number>', 'have a stored number call whoever has no number of their own').action(
    (number: string, options: Json) => chooseDefault(context(), number, options),
  )
  command('remove <number>', 'forget a number: it stays yours at Twilio').action(
    (number: string, options: Json) => removeNumber(context(), number, options),
  )
}
