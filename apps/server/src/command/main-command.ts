import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { readSettings } from '../settings/settings.js'
import { keys } from './keys-command.js'
import { start } from './start-command.js'
import { addVisitor, listVisitors, type VisitorOptions } from './visitors-command.js'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

/** The `heyline` command. Settings come from the environment alone; `.env.example` documents them. */
export function mainCommand(): Command {
  const program = new Command('heyline')
    .description('Personalised demo pages for a voice-AI phone assistant')
    .version(version)
    .addHelpText('after', '\nSettings come from the environment: see .env.example.')
  program
    .command('start')
    .description('serve the pages, the backend, the call desk and the voice platform')
    .option('--dev', 'serve the page from its sources, reloading as they change')
    .action((options: { dev?: boolean }) => start(readSettings(process.env), options))

  const visitors = program.command('visitors').description('the people whom pages greet')
  visitors
    .command('add')
    .description('add a visitor: their page is /SLUG')
    .argument('<slug>', 'a letter or digit, then letters, digits, - and _, up to 64')
    .requiredOption('--name <name>', 'the name in the greeting')
    .option('--system <text>', "the assistant's system prompt, or @FILE to read it from a file")
    .option('--first-message <text>', "the assistant's first words")
    .option('--json', 'print JSON')
    .action((slug: string, options: VisitorOptions) => addVisitor(readSettings(process.env), slug, options))
  visitors
    .command('list')
    .description('list the visitors')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }) => listVisitors(readSettings(process.env), options))

  program
    .command('keys')
    .description('print the keys of the built-in ends')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }) => keys(readSettings(process.env), options))
  return program
}
