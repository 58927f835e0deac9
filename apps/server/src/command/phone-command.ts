import { phoneLink } from '../ends/phone-link.js'
import type { Settings } from '../settings/settings.js'
import { runningServer } from './place/own-database.js'
import { CommandError } from './terminal/command-error.js'
import type { CommandContext } from './terminal/terminal.js'

/** `heyline phone`: the link that opens the pocket phone, alone on standard output. */
export async function phone(
  { settings, terminal }: CommandContext,
  { json }: { json?: boolean },
): Promise<void> {
  const link = phoneLink(settings, settings.publicUrl ?? (await ownAddress(settings)))
  if (link.kind === 'none')
    throw new CommandError(
      'no_pocket_phone',
      `There is no pocket phone: ${realPhones(settings)}. CARRIER=simulated rings one`,
    )
  if (link.kind === 'closed')
    throw new CommandError(
      'phone_closed',
      'The pocket phone is closed: set PHONE_KEY for the server and for this command, and restart the server',
    )
  if (json) return terminal.log(JSON.stringify({ url: link.url }))
  terminal.log(link.url)
  if (link.hasKey)
    terminal.error(
      'heyline: keep it to yourself: whoever opens it takes calls and reads texts, whatever number they are for',
    )
}

function realPhones({ platform, twilio }: Settings): string {
  if (platform) return `the platform of PLATFORM_URL calls real phones`
  return `CARRIER is ${twilio ? 'twilio' : 'sip'}, which calls real phones`
}

/** The port of this machine that the running server took. Which one it will be, a start says. */
async function ownAddress(settings: Settings): Promise<string> {
  const running = await runningServer(settings)
  if (running) return `http://localhost:${new URL(running.url).port}`
  throw new CommandError('no_server', 'No server runs on this data directory: start one, then open its phone')
}
