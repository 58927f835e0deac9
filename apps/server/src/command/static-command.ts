import type { Command } from 'commander'
import type { Terminal } from './terminal/terminal.js'

const STATIC_HELP = `
Any static host can serve the folder at the root of an origin. An earlier static page in it is replaced; nobody else's folder is.
It takes settings of its own from the environment: docs/static-page.md names them.`

/** `heyline static`. */
export function staticCommand(program: Command, terminal: Terminal): void {
  program
    .command('static')
    .description('write the page as plain files, for a static host')
    .requiredOption('--out <folder>', 'the folder to write')
    .option('--json', 'print JSON')
    .addHelpText('after', STATIC_HELP)
    .action((options: StaticOptions) => writeStaticPage(terminal, options))
}

interface StaticOptions {
  out: string
  json?: boolean
}

/** Writes the page of these settings. Throws a `SettingError`, before anything is written, for what can't be used. */
async function writeStaticPage(terminal: Terminal, { out, json }: StaticOptions): Promise<void> {
  // React reads this while it loads.
  process.env.NODE_ENV ??= 'production'
  const { assetsDirectory } = await import('@heyline/page/server')
  const { buildStatic, writtenTo } = await import('@heyline/page/static')
  const folder = buildStatic({
    words: ['--out', out],
    env: terminal.env,
    assets: assetsDirectory,
    folder: out,
  })
  terminal.log(json ? JSON.stringify({ folder }) : writtenTo(folder))
}
