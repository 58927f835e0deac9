import type { Command } from 'commander'
import type { Json } from '../options/json-option.js'
import { contextOf, type Terminal } from '../terminal/terminal.js'
import type { ListOptions } from './calls-command.js'

const CALLS_HELP = `
States: queued, dialling, ringing, in-progress, then ended; or refused (the gate did not let it pass; the code says why),
failed (certainly not placed), unknown (it may have been placed; the platform is asked, it is never dialled again).
Outcomes of a call that ended: completed, no_answer, busy, voicemail, max_duration, silence, caller_stopped, cancelled,
caller_config, provider_fault, platform_fault, blocked_fraud, other.
The commands work through the running server, or, with none running, on the database itself; tail then on a Postgres
(DATABASE_URL) only, where other servers may be at work. Times are UTC.`

const LIST_HELP = `
A line each: when it was asked for, its id, state (with the reason of a refusal), outcome (with what ended it, where
that was ours: paused, stop_calling), how long they talked, what it cost (up to so much, until that is known), the
visitor's slug, and the last two digits of the number, behind "called us" where the call came in.`

const EXPORT_HELP = `
CSV with a header row, or with --json one call a line; the oldest first, numbers in full. Without FILE to standard
output; a terminal gets no control characters. Texts stay as they are: a spreadsheet may take a text that begins with
= + - or @ for a formula, and every number begins with +. With --spreadsheet such a text has an apostrophe in front.`

const RECORDING_HELP = `
Of the id, six characters are enough where no other begins so. The caller is left and the assistant right. The sound is Ogg Opus
or WAV, as it was recorded (RECORDING_FORMAT). Only this user can read FILE. Whoever has it has what was said: delete it when you are done.`

const PAUSE_HELP = `
When it returns, no call is placed any more, by any process on the database; calls in flight are being ended. It stays
so over restarts, until heyline calls resume.`

/** `heyline calls …`. */
export function callsCommand(program: Command, terminal: Terminal): void {
  const context = () => contextOf(terminal)
  const calls = program
    .command('calls')
    .description('calls by phone and in the browser: list, follow, export and stop them')
    .addHelpText('after', CALLS_HELP)
  const command = (words: string, description: string, json = 'print JSON') =>
    calls.command(words).description(description).option('--json', json)

  command('list', 'list the calls, the newest first')
    .option('--limit <number>', 'how many, 1 to 1000 (without it 50, with --json all)')
    .option('--after <id>', 'calls asked for before this one')
    .option('--state <state>', 'those in this state')
    .option('--direction <direction>', 'phone calls that came in (inbound), or that we placed (outbound)')
    .option('--slug <slug>', "those of this visitor's page")
    .option(
      '--since <time>',
      'calls asked for since then: 30s, 30m, 24h, 7d, or a time like 2026-11-20T09:00Z',
    )
    .addHelpText('after', LIST_HELP)
    .action(async (options: ListOptions) =>
      (await import('./calls-command.js')).listCalls(context(), options),
    )
  command('show <id>', 'show all that is stored of a call, with transcript and summary')
    .addHelpText('after', '\nOf the id, six characters are enough where no other begins so.')
    .action(async (id: string, options: Json) =>
      (await import('./calls-command.js')).showCall(context(), id, options),
    )
  command('recording <id>', 'download the recording of a call that is over')
    .requiredOption('--out <file>', 'where to write the sound')
    .option('--mono', 'caller and assistant in one channel')
    .addHelpText('after', RECORDING_HELP)
    .action(async (id: string, options: Json & { out: string; mono?: boolean }) =>
      (await import('./calls-recording.js')).downloadRecording(context(), id, options),
    )
  command('tail', 'follow the calls: a line for each change of a state, until interrupted', 'one JSON a line')
    .addHelpText('after', '\nIt begins with the next change; heyline calls list shows what was before.')
    .action(async (options: Json) => (await import('./calls-tail.js')).tailCalls(context(), options))
  command('export [file]', 'write all calls as CSV', 'write JSON instead, one call a line')
    .option('--spreadsheet', 'let no text be a formula in a spreadsheet')
    .addHelpText('after', EXPORT_HELP)
    .action(async (file: string | undefined, options: Json & { spreadsheet?: boolean }) =>
      (await import('./calls-export.js')).exportCalls(context(), file, options),
    )
  command('pause', 'stop all dialling at once, and end the calls in flight')
    .addHelpText('after', PAUSE_HELP)
    .action(async (options: Json) => (await import('./calls-switch.js')).pauseCalls(context(), options))
  command('resume', 'place calls again, after a pause or when the circuit breaker has opened').action(
    async (options: Json) => (await import('./calls-switch.js')).resumeCalls(context(), options),
  )
  command('status', 'show whether calls are placed, what they cost, and what came of the last of them')
    .addHelpText(
      'after',
      '\nThe last lines are the newest of the audit: who stopped, resumed or changed what.',
    )
    .action(async (options: Json) => (await import('./calls-switch.js')).showStatus(context(), options))
  command('reset <slug>', "count a visitor's lifetime limit of calls from now on").action(
    async (slug: string, options: Json) =>
      (await import('./calls-switch.js')).resetSlug(context(), slug, options),
  )
}
