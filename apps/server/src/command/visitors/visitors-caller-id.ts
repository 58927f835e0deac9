import { spelled } from '../numbers/numbers-command.js'
import { withNumbers } from '../place/numbers-place.js'
import type { CommandContext } from '../terminal/terminal.js'

/** The number that calls a visitor. It is the call desk's business, and no part of the visitor's row. */
export const chooseCallerId = (context: CommandContext, slug: string, given: string): Promise<void> =>
  withNumbers(context, async (numbers) => {
    await numbers.assign({ slug, number: given === 'default' ? null : spelled(given) })
    context.terminal.error(
      `heyline: ${slug} is called from ${given === 'default' ? 'the default number' : spelled(given)}`,
    )
  })
