import type { BearerPlan, CreateAssistant, HmacPlan, Server } from '@heyline/platform-client'
import { authenticationOf } from '../assistants/server-schema.js'

/**
 * Where server messages go, how they are signed, and how often they are tried. `credentialId` is not served, as there are no stored
 * credentials: a plan comes with the assistant, in a `webhook` credential among its `credentials`, or in the option of the installation.
 */
export interface MessageServer extends Pick<Server, 'timeoutSeconds' | 'headers' | 'secret' | 'backoffPlan'> {
  url: string
  authenticationPlan?: HmacPlan | BearerPlan
}

/** The assistant's own server, if it names one. */
export function ownServer({ server, credentials }: CreateAssistant): MessageServer | undefined {
  if (!server?.url) return undefined
  const { url, timeoutSeconds, headers, secret, backoffPlan } = server
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
