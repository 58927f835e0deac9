import { isDeepStrictEqual } from 'node:util'
import type {
  Assistant,
  PlatformClient,
  PlatformCredential,
  Server,
  ServerMessageType,
  UpdateAssistant,
} from '@heyline/platform-client'
import { credentialPrefix, hookCredential } from './hook-credential.js'

/** What answers at the platform's address is no voice platform. */
export class NoPlatformError extends Error {
  override readonly name = 'NoPlatformError'
}

/** What the call desk needs to hear of a call. */
const MESSAGES: ServerMessageType[] = [
  'status-update',
  'end-of-call-report',
  'transcript[transcriptType="final"]',
]
/** As many tries as the platform allows: about a quarter of an hour. */
const BACKOFF = { type: 'exponential', maxRetries: 10, baseDelaySeconds: 1 } as const
const TIMEOUT_SECONDS = 20
/** The longest list that the platform gives. */
const MOST_CREDENTIALS = 1000

export interface SetupTarget {
  platform: PlatformClient
  assistantId: string
  hookUrl: string
  hookSecret: string
  /** Nothing is changed. */
  dryRun: boolean
}

/** What was done, or with `dryRun` would be. */
export interface SetupReport {
  credential: 'created' | 'updated' | 'unchanged'
  /** Undefined while it would only be created. */
  credentialId: string | undefined
  assistant: 'updated' | 'unchanged'
}

/** Has the assistant send its messages to us, signed. What is so already stays untouched. Rejects with what the client does, or a `NoPlatformError`. */
export async function setUpHooks(target: SetupTarget): Promise<SetupReport> {
  const { platform, assistantId, hookUrl, dryRun } = target
  // First of all: an assistant that is not there leaves no credential behind.
  const assistant = await platform.assistants.get(assistantId)
  const { credential, credentialId } = await storeCredential(target)
  const changes = changesOf(assistant, hookUrl, credentialId)
  if (changes && !dryRun) await platform.assistants.update(assistantId, changes)
  return { credential, credentialId, assistant: changes ? 'updated' : 'unchanged' }
}

async function storeCredential(
  target: SetupTarget,
): Promise<Pick<SetupReport, 'credential' | 'credentialId'>> {
  const { platform, hookUrl, hookSecret, dryRun } = target
  const wanted = hookCredential(hookUrl, hookSecret)
  const listed = await platform.credentials.list({ limit: MOST_CREDENTIALS })
  if (!Array.isArray(listed)) throw new NoPlatformError()
  const stored = listed.filter(
    ({ provider, name }) => provider === 'webhook' && name?.startsWith(credentialPrefix(hookUrl)),
  )
  const same = stored.find((credential) => isSame(credential, wanted))
  if (same) return { credential: 'unchanged', credentialId: same.id }
  const [other] = stored
  if (other) {
    if (!dryRun) await platform.credentials.update(other.id, wanted)
    return { credential: 'updated', credentialId: other.id }
  }
  const created = dryRun ? undefined : await platform.credentials.create(wanted)
  return { credential: 'created', credentialId: created?.id }
}

/** Whether it holds what is wanted: its name says so, and nothing of what the platform gives back of its plan says otherwise. */
function isSame(stored: PlatformCredential, wanted: ReturnType<typeof hookCredential>): boolean {
  if (stored.name !== wanted.name) return false
  const plan = Object(stored.authenticationPlan)
  return Object.entries(wanted.authenticationPlan).every(
    ([field, value]) => field === 'secretKey' || !Object.hasOwn(plan, field) || plan[field] === value,
  )
}

function changesOf(
  assistant: Assistant,
  hookUrl: string,
  credentialId: string | undefined,
): UpdateAssistant | undefined {
  // Headers and the like were set for the address that they went to.
  const kept = assistant.server?.url === hookUrl ? assistant.server : {}
  const server: Server = {
    ...kept,
    url: hookUrl,
    timeoutSeconds: TIMEOUT_SECONDS,
    credentialId,
    backoffPlan: { ...kept.backoffPlan, ...BACKOFF },
  }
  const isServerSame = credentialId !== undefined && isDeepStrictEqual(server, assistant.server)
  const messages = assistant.serverMessages?.toSorted()
  if (isServerSame && isDeepStrictEqual(messages, MESSAGES.toSorted())) return undefined
  return { server, serverMessages: MESSAGES }
}
