import type { NumbersPlace } from '../../numbers/running-numbers.js'
import type { Json } from '../options/json-option.js'
import { withNumbers } from '../place/numbers-place.js'
import { CommandError } from '../terminal/command-error.js'
import type { CommandContext } from '../terminal/terminal.js'
import { table } from '../terminal/terminal-text.js'

export interface AddOptions extends Json {
  name?: string
  assistant?: string
  default?: boolean
  inbound?: boolean
  overwrite?: boolean
}

export interface InboundOptions extends Json {
  assistant?: string
  overwrite?: boolean
}

type Listed = Awaited<ReturnType<NumbersPlace['list']>>['numbers'][number]

/** `heyline numbers list`: the oldest first. */
export const listNumbers = (context: CommandContext, { json }: Json): Promise<void> =>
  withNumbers(context, async (place) => {
    const { numbers } = await place.list()
    const { terminal } = context
    if (json) terminal.log(JSON.stringify(numbers, null, 2))
    else if (numbers.length > 0) terminal.log(table(numbers.map(columnsOf)))
    else terminal.error('heyline: there are no numbers: add one with heyline numbers add')
  })

const columnsOf = ({ id, number, name, isDefault, visitors, assistantId }: Listed): string[] => [
  number ?? id,
  isDefault ? 'default' : visitors > 0 ? `calls ${visitors} visitor${visitors === 1 ? '' : 's'}` : '-',
  name ?? '-',
  assistantId ? `answered by ${assistantId}` : '-',
]

/** `heyline numbers add`. */
export const addNumber = (
  context: CommandContext,
  given: string,
  { name, assistant, default: isDefault = false, inbound, overwrite, json }: AddOptions,
): Promise<void> =>
  withNumbers(context, async (place) => {
    const added = await place.add({
      number: spelled(given),
      ...(name !== undefined && { name }),
      ...(assistant !== undefined && { assistantId: assistant }),
    })
    const stored = isDefault ? await place.setDefault({ id: added.id }) : added
    const text = `${stored.number} is stored${isDefault ? ', and is the default' : ''}`
    if (!inbound) return say(context, json, stored, text)
    // It is stored, whatever comes of the rest.
    context.terminal.error(`heyline: ${text}`)
    say(context, json, ...(await received(place, stored.id, overwrite)))
  })

/** `heyline numbers inbound`. */
export const receiveCalls = (
  context: CommandContext,
  given: string,
  { overwrite, assistant, json }: InboundOptions,
): Promise<void> =>
  withNumbers(context, async (place) =>
    say(context, json, ...(await received(place, await idOf(place, given), overwrite, assistant))),
  )

/** Has calls to a number come here: the number, and what is said of it. */
async function received(
  place: NumbersPlace,
  id: string,
  overwrite = false,
  assistant?: string,
): Promise<[object, string]> {
  const number = await place.receive({
    id,
    overwrite,
    ...(assistant !== undefined && { assistantId: assistant }),
  })
  return [number, `Calls to ${number.number} ${number.isNews ? 'come here from now on' : 'came here before'}`]
}

/** `heyline numbers default`. */
export const chooseDefault = (context: CommandContext, given: string, { json }: Json): Promise<void> =>
  withNumbers(context, async (place) => {
    const chosen = await place.setDefault({ id: await idOf(place, given) })
    say(context, json, chosen, `${chosen.number} calls whoever has no number of their own`)
  })

/** `heyline numbers remove`. */
export const removeNumber = (context: CommandContext, given: string, { json }: Json): Promise<void> =>
  withNumbers(context, async (place) => {
    const removed = await place.remove({ id: await idOf(place, given) })
    say(context, json, removed, `${removed.number} calls nobody any more`)
  })

/** `heyline numbers of`. */
export const showNumberOf = (context: CommandContext, given: string, { json }: Json): Promise<void> =>
  withNumbers(context, async (place) => {
    const found = await place.assigned({ slug: given })
    const { slug, number } = found
    say(
      context,
      json,
      found,
      `${slug} is called from ${number ? (number.number ?? number.id) : 'the default number'}`,
    )
  })

/** `+1 415 555 2671` as it is stored. */
export const spelled = (given: string): string => given.replace(/[\s().-]/g, '')

async function idOf(place: NumbersPlace, given: string): Promise<string> {
  const { numbers } = await place.list()
  const found = numbers.find(({ id, number }) => id === given || number === spelled(given))
  if (found) return found.id
  throw new CommandError('number_not_found', 'There is no such number: see heyline numbers list')
}

const say = ({ terminal }: CommandContext, json: boolean | undefined, number: object, text: string) =>
  terminal.log(json ? JSON.stringify(number, null, 2) : text)
