import type { Command } from 'commander'
import { contextOf, type Terminal } from '../terminal/terminal.js'
import type { AddOptions, UpdateOptions } from './visitors-command.js'
import type { FileImportOptions } from './visitors-import.js'

const SLUG = 'a letter or digit, then letters, digits, - and _, up to 64'
const PRIVATE = 'append six random characters to the slug, so that nobody can guess it; the output shows it'
const KNOWLEDGE = 'files that their calls look things up in: txt, md, html, pdf, docx, csv, 20 MB each'
const LISTED = 'show it to every request, not only to one that names its slug'

const IMPORT_HELP = `
FILE.csv is UTF-8; its first row names the columns, in any order: slug and name, and if you like system,
first_message and listed (true or false). Every row that can't be taken is named with its line, and then nothing is
stored: it is all of the file, or none. A slug that is there already refuses the file, unless --replace is given:
then the visitor gets what the file says, and keeps what the file has no column for.
With --private every visitor is new, and standard output has a line for each: the slug in the file, and the page.`

const EXPORT_HELP = `
Without FILE to standard output. Texts stay as they are, so that import reads the same again: a spreadsheet may take
a text that begins with = + - or @ for a formula. With --spreadsheet such a text has an apostrophe in front.`

/** `heyline visitors …`. */
export function visitorsCommand(program: Command, terminal: Terminal): void {
  const context = () => contextOf(terminal)
  const visitors = program.command('visitors').description('the people whom the pages greet')
  const command = (words: string, description: string) =>
    visitors.command(words).description(description).option('--json', 'print JSON')

  command('add <slug>', `add a visitor: their page is at /SLUG (${SLUG})`)
    .requiredOption('--name <name>', 'the name in the greeting')
    .option('--system <text>', "the assistant's system prompt, or @FILE to read it from a file")
    .option('--first-message <text>', "the assistant's first words")
    .option('--listed', LISTED)
    .option('--private', PRIVATE)
    .option('--knowledge <file...>', KNOWLEDGE)
    .action(async (slug: string, options: AddOptions) =>
      (await import('./visitors-command.js')).addVisitor(context(), slug, options),
    )
  command('list', 'list the visitors by slug')
    .option('--limit <number>', 'how many, 1 to 1000 (without it 50, with --json all)')
    .option('--after <slug>', 'those behind this slug')
    .action(async (options: { limit?: string; after?: string; json?: boolean }) =>
      (await import('./visitors-command.js')).listVisitors(context(), options),
    )
  command('show <slug>', 'show all that is stored of a visitor').action(
    async (slug: string, options: { json?: boolean }) =>
      (await import('./visitors-command.js')).showVisitor(context(), slug, options),
  )
  command('update <slug>', 'change the given fields of a visitor; an empty text clears its field')
    .option('--slug <slug>', `move the page to another slug (${SLUG}): the old link ends`)
    .option('--name <name>', 'the name in the greeting')
    .option('--system <text>', "the assistant's system prompt, or @FILE to read it from a file")
    .option('--first-message <text>', "the assistant's first words")
    .option('--listed', LISTED)
    .option('--no-listed', 'show it only to a request that names its slug')
    .option(
      '--caller-id <number>',
      'the number that calls them, of heyline numbers list; default for the default one',
    )
    .option('--knowledge <file...>', `${KNOWLEDGE}; one of the same name is replaced`)
    .option('--no-knowledge', 'remove all of these files')
    .action(async (slug: string, options: UpdateOptions) =>
      (await import('./visitors-command.js')).updateVisitor(context(), slug, options),
    )
  command('remove <slug>', 'remove a visitor: the page is then not found').action(
    async (slug: string, options: { json?: boolean }) =>
      (await import('./visitors-command.js')).removeVisitor(context(), slug, options),
  )
  command('knowledge <slug>', 'list the files that calls of a visitor look things up in')
    .option('--remove <file...>', 'remove these first, by the name or id that the list has')
    .action(async (slug: string, options: { json?: boolean; remove?: string[] }) =>
      (await import('./visitors-knowledge.js')).showKnowledge(context(), slug, options),
    )
  command('import <file.csv>', 'add all visitors of a CSV file, or none')
    .option('--replace', 'update visitors that exist already with what the file says')
    .option('--private', 'append six random characters to each slug; the output shows the new slugs')
    .addHelpText('after', IMPORT_HELP)
    .action(async (file: string, options: FileImportOptions) =>
      (await import('./visitors-import.js')).importFile(context(), file, options),
    )
  visitors
    .command('export [file]')
    .description('write all visitors as CSV, as import reads it')
    .option('--json', 'write JSON instead, one visitor a line')
    .option('--spreadsheet', 'let no text be a formula in a spreadsheet')
    .addHelpText('after', EXPORT_HELP)
    .action(async (file: string | undefined, options: { json?: boolean; spreadsheet?: boolean }) =>
      (await import('./visitors-export.js')).exportVisitors(context(), file, options),
    )
}
