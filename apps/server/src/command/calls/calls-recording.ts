import { RECORDINGS_PATH } from '@heyline/voice-platform'
import { RECORDS_ERRORS } from '../../calls/running-calls.js'
import { openDataDirectory } from '../../keys/data-directory.js'
import { runningOffice } from '../../running-server/running-office.js'
import type { Json } from '../options/json-option.js'
import { checkPlace } from '../place/calls-place.js'
import { runningServer } from '../place/own-database.js'
import { CommandError } from '../terminal/command-error.js'
import { writeBeside } from '../terminal/new-file.js'
import type { CommandContext } from '../terminal/terminal.js'

/** Longest that a download may take, in ms. */
const PATIENCE_MS = 10 * 60_000

/** `heyline calls recording`: the sound of a call that is over, into a file. */
export async function downloadRecording(
  context: CommandContext,
  id: string,
  { out, mono = false, json }: Json & { out: string; mono?: boolean },
): Promise<void> {
  checkPlace(context)
  const { settings, terminal } = context
  const server = await runningServer(settings)
  if (!server)
    throw new CommandError(
      'no_server',
      'No server runs, and it is the server that has the recordings: start it',
    )
  const { secret } = openDataDirectory(settings.dataDirectory, settings.keys)
  const { calls } = runningOffice(server.url, secret, RECORDS_ERRORS)
  const { stereoUrl, monoUrl } = await calls.recording({ id })
  const url = mono ? monoUrl : stereoUrl
  if (url === null)
    throw new CommandError(
      'no_recording',
      'There is no recording of this call: it was not recorded, still runs, or its recording is deleted already (CALL_RECORDING_DAYS)',
    )
  const { body, type } = await soundAt(reached(url, server.url))
  let bytes = 0
  const parts = async function* () {
    for await (const part of body) {
      bytes += part.byteLength
      yield part
    }
  }
  await writeBeside(out, parts())
  if (json) terminal.log(JSON.stringify({ file: out, bytes, type }))
  else terminal.error(`heyline: wrote ${bytes} bytes (${type}) to ${out}`)
}

async function soundAt(url: URL): Promise<{ body: ReadableStream<Uint8Array>; type: string }> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) }).catch((cause) => {
    throw new CommandError('recording_unreachable', `${url.origin} can't be reached: try again`, { cause })
  })
  if (answer.ok && answer.body)
    return { body: answer.body, type: answer.headers.get('content-type') ?? 'sound' }
  const said: unknown = await answer.json().catch(() => undefined)
  const message = Reflect.get(Object(said), 'message')
  throw new CommandError(
    'recording_unreachable',
    typeof message === 'string' ? message : `The recording can't be read: status ${answer.status}`,
  )
}

/** Our own recordings by the address that the server is reached at: its public name may lead past a firewall. */
function reached(url: string, serverUrl: string): URL {
  const { pathname, search } = new URL(url)
  return pathname.startsWith(RECORDINGS_PATH) ? new URL(pathname + search, serverUrl) : new URL(url)
}
