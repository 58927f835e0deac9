import type { Command } from 'commander'
import type { Json } from '../options/json-option.js'
import { contextOf, type Terminal } from '../terminal/terminal.js'

const VERSIONS_HELP = `
A line each, the newest first: version, when it was made, which one speaks now, and what it changed. With VERSION: the
texts before and after, and what is different from now. Of settings that the console does not show, only the names.`

/** `heyline assistant …`. */
export function assistantCommand(program: Command, terminal: Terminal): void {
  const context = () => contextOf(terminal)
  const assistant = program
    .command('assistant')
    .description('the stored assistant that speaks in every call: what it was, and the way back')
  const command = (words: string, description: string) =>
    assistant.command(words).description(description).option('--json', 'print JSON')

  command('versions [version]', 'list what the assistant was, or show one version')
    .addHelpText('after', VERSIONS_HELP)
    .action(async (version: string | undefined, options: Json) => {
      const { listVersions, showVersion } = await import('./assistant-command.js')
      return version === undefined
        ? listVersions(context(), options)
        : showVersion(context(), version, options)
    })
  command('restore <version>', 'give the assistant all settings of a version, which makes a new one').action(
    async (version: string, options: Json) =>
      (await import('./assistant-command.js')).restoreVersion(context(), version, options),
  )
}
