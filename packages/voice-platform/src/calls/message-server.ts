import type { BearerPlan, CreateAssistant, HmacPlan, Server } from '@heyline/platform-client'
import { authenticationOf } from '../assistants/server-schema.js'
import type { StoredServers } from '../assistants/stored-servers.js'

/**
 * Where server messages go, how they are signed, and how often they are tried. There are no stored credentials, so `credentialId` is
 * not served. A plan comes from a `webhook` credential of the assistant, or from the installation's own server.
 */
export interface MessageServer extends Pick<Server, 'timeoutSeconds' | 'headers' | 'secret' | 'backoffPlan'> {
  url: string
  authenticationPlan?: HmacPlan | BearerPlan
}

/** The assistant's own server, if it names one. That of a number has its secrets opened by `servers`. */
export function ownServer(
  { server, credentials }: CreateAssistant,
  servers?: Pick<StoredServers, 'openedInCall'>,
): MessageServer | undefined {
  if (!server?.url) return undefined
  const { url } = server
  const { timeoutSeconds, headers, secret, backoffPlan } = servers?.openedInCall(server) ?? server
  const authenticationPlan = authenticationOf(credentials)
  return {
    url,
    ...(timeoutSeconds !== undefined && { timeoutSeconds }),
    ...(headers && { headers }),
    ...(secret !== undefined && { secret }),
    ...(backoffPlan && { backoffPlan }),
    ...(authenticationPlan && { authenticationPlan }),
  }
}
