import type { Command } from 'commander'
import type { SetupOptions } from './platform-command.js'
import { contextOf, type Terminal } from './terminal/terminal.js'

const SETUP_HELP = `
Points the assistant PLATFORM_ASSISTANT_ID of the hosted platform (PLATFORM_URL, PLATFORM_PRIVATE_KEY) at
PUBLIC_URL/-/hooks/platform: stores a credential there with which it signs its messages (Standard Webhooks, with
PLATFORM_HOOK_SECRET; without one set, that of heyline keys), and has the assistant send us status-update,
end-of-call-report and final transcripts, each up to ten times again. A second run changes nothing.
PUBLIC_URL must be an https address that the platform can reach. Every server needs the same secret.`

/** `heyline platform …`. */
export function platformCommand(program: Command, terminal: Terminal): void {
  program
    .command('platform')
    .description('the hosted voice platform')
    .command('setup')
    .description('have the hosted assistant tell us of its calls')
    .option('--dry-run', 'change nothing, and say what would be changed')
    .option('--json', 'print JSON')
    .addHelpText('after', SETUP_HELP)
    .action(async (options: SetupOptions) =>
      (await import('./platform-command.js')).setUpPlatform(contextOf(terminal), options),
    )
}
