import { OperatorsError } from '@heyline/back-office'
import { knownKey } from '../keys/key-ring.js'
import { runningOperators } from '../operators/running-operators.js'
import type { ServerFile } from '../running-server/server-file.js'
import { isPublicUrl } from '../settings/loopback.js'
import type { Settings } from '../settings/settings.js'
import { type Finding, ok, warn } from './finding.js'

/** Whether operators need a second factor where others reach the server. */
export function checkSecondFactor({ needsSecondFactor, publicUrl }: Settings): Finding[] {
  if (needsSecondFactor || !isPublicUrl(publicUrl)) return []
  return [
    warn(
      'OPERATORS_MFA',
      'is optional, and others can reach this server: a stolen password lets them in',
      'set OPERATORS_MFA=required',
    ),
  ]
}

/** Whether there is an operator at the running server. One that does not answer is named elsewhere. */
export async function checkRunningOperators(settings: Settings, { url }: ServerFile): Promise<Finding[]> {
  const secret = knownKey(settings.dataDirectory, settings.keys, 'secret')
  if (secret === undefined || (settings.backend && !settings.backend.secretKey)) return []
  try {
    const { length } = await runningOperators(url, secret).list()
    return [
      length > 0
        ? ok('operators', `there ${length === 1 ? 'is one' : `are ${length}`}`)
        : ok('operators', 'there is none yet: heyline operators setup prints a link for the first'),
    ]
  } catch (error) {
    if (error instanceof OperatorsError) return []
    throw error
  }
}
