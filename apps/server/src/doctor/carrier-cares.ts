import type { Settings } from '../settings/settings.js'
import { checkCountries } from './caller-id-check.js'
import { carrierNeeds } from './server-check.js'

/** What a start with Twilio should say: why calls will fail, in a sentence each. It takes some seconds at most. */
export async function carrierCares(settings: Settings): Promise<string[]> {
  const { twilio, platform, publicUrl } = settings
  if (!twilio || platform) return []
  const address = carrierNeeds(publicUrl, twilio)
  return [...(address ? [address] : []), ...(await checkCountries(settings))]
    .filter(({ status }) => status === 'fail')
    .map(({ check, message, mend }) => `${check}: ${message}: ${mend}`)
}
