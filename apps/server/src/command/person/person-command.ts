import type { ErasedPerson, People } from '@heyline/back-office'
import { type Person, type PersonRows, parsePerson } from '@heyline/call-desk'
import type { Json } from '../options/json-option.js'
import { withPeople } from '../place/people-place.js'
import { CommandError } from '../terminal/command-error.js'
import { writeBeside } from '../terminal/new-file.js'
import { printText } from '../terminal/output.js'
import { openProgress } from '../terminal/progress.js'
import type { CommandContext } from '../terminal/terminal.js'
import { counted } from '../terminal/terminal-text.js'

export interface PersonOptions extends Json {
  visitor?: string
}

/** `heyline person export NUMBER [FILE]`: one JSON document. Without a file to standard output. */
export function exportPerson(
  context: CommandContext,
  words: string[],
  options: PersonOptions,
): Promise<void> {
  const { person, rest } = whoOf(words, options)
  const [file, ...more] = rest
  if (more.length > 0) throw new CommandError('usage', 'One person and one file, no more')
  return withPeople(context, async (people) => {
    if (file === undefined) {
      for await (const text of documentOf(people, person)) await printText(text, context.terminal.out)
      return
    }
    await writeBeside(file, documentOf(people, person))
    openProgress(options.json, context.terminal.err).say(`wrote ${file}`)
  })
}

/** The document, in parts: `{person, exportedAt, tables: {"schema.table": [rows]}}`. */
async function* documentOf(people: People, person: Person): AsyncGenerator<string> {
  const head = JSON.stringify({ person, exportedAt: new Date().toISOString() })
  yield `${head.slice(0, -1)},"tables":{`
  let table: string | undefined
  let isFirst = true
  for await (const parts of people.export(person))
    for (const part of parts) {
      if (part.table !== table) {
        yield `${table === undefined ? '' : ']'}${table === undefined ? '\n' : ',\n'}${JSON.stringify(part.table)}:[`
        table = part.table
        isFirst = true
      }
      yield rowsText(part, isFirst)
      isFirst &&= part.rows.length === 0
    }
  yield `${table === undefined ? '' : ']'}\n}}\n`
}

const rowsText = ({ rows }: PersonRows, isFirst: boolean): string =>
  rows.map((row, index) => `${isFirst && index === 0 ? '\n' : ',\n'}${JSON.stringify(row)}`).join('')

export interface EraseOptions extends PersonOptions {
  yes?: boolean
}

/** `heyline person erase NUMBER --yes`. */
export function erasePerson(context: CommandContext, words: string[], options: EraseOptions): Promise<void> {
  const { person, rest } = whoOf(words, options)
  if (rest.length > 0) throw new CommandError('usage', 'One person, no more')
  if (!options.yes)
    throw new CommandError(
      'not_confirmed',
      'This deletes everything about the person but the do-not-call entry, and cannot be undone. Export it first if you need it, then add --yes',
    )
  return withPeople(context, async (people) => {
    const erased = await people.erase(person)
    const { log, out } = context.terminal
    if (options.json) return log(JSON.stringify(erased))
    log(reportOf(erased))
    for (const id of erased.hostedCalls) await printText(`${id}\n`, out)
  })
}

function reportOf({
  requests,
  calls,
  sessions,
  chats,
  messages,
  customers,
  factors,
  accounts,
  visitor,
  formerSlugs,
  doNotCall,
  hostedCalls,
  hidesLater,
}: ErasedPerson): string {
  const some = requests + calls + sessions + chats + messages + customers + factors + accounts
  const isNothing = some === 0 && !visitor
  const parts = [
    counted(requests, 'request'),
    `${counted(calls, 'call')} of the built-in platform`,
    ...(sessions > 0 ? [counted(sessions, 'session')] : []),
    ...(chats > 0 ? [counted(chats, 'chat')] : []),
    ...(customers > 0 ? [`${counted(customers, 'customer')} of campaigns`] : []),
    ...(messages > 0 ? [`${counted(messages, 'message')} of the platform`] : []),
    ...(factors > 0 ? [counted(factors, 'second factor')] : []),
    ...(accounts > 0 ? [`the number of ${counted(accounts, 'account')}`] : []),
    ...(visitor ? ['the visitor with the page'] : []),
  ]
  return [
    isNothing ? 'Nothing to erase: nothing is stored about the person' : `Erased: ${parts.join(', ')}`,
    ...(formerSlugs.length > 0
      ? [`With it what was stored under former slugs of the visitor: ${formerSlugs.join(', ')}`]
      : []),
    ...(doNotCall ? ['The number stays on the do-not-call list'] : []),
    ...(hidesLater
      ? [
          'The number is taken out of what others tell. The running server looks for it once more within five hours, or within an hour of the end of calls that run then',
        ]
      : []),
    ...(hostedCalls.length > 0
      ? ['Another platform has records of these calls: delete them there, too']
      : []),
  ].join('\n')
}

/** The person, by the first word or by `--visitor`, and the words behind. */
function whoOf(words: string[], { visitor }: PersonOptions): { person: Person; rest: string[] } {
  if (visitor !== undefined) return { person: parsePerson({ visitor }), rest: words }
  const [number, ...rest] = words
  if (number === undefined)
    throw new CommandError('usage', 'Whom? Give a telephone number, or a visitor with --visitor SLUG')
  return { person: parsePerson({ number }), rest }
}
