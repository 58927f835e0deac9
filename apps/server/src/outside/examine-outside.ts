import { ask } from '../doctor/ask.js'
import type { Finding } from '../doctor/finding.js'
import { fail } from '../doctor/finding.js'
import { checkPlatform } from '../doctor/platform-check.js'
import { carrierNeeds } from '../doctor/server-check.js'
import { checkSettings } from '../doctor/settings-check.js'
import { checkTwilio } from '../doctor/twilio-check.js'
import { knownKey } from '../keys/key-ring.js'
import type { Settings } from '../settings/settings.js'
import { checkAddresses, INVENTED } from './addresses-check.js'
import { checkCarrier, checkHook } from './callbacks-check.js'
import { checkCertificate } from './certificate-check.js'
import { checkInstallation } from './installation-check.js'
import { MirrorClient, type Reflection } from './mirror-client.js'
import { checkName } from './name-check.js'
import { checkRooms } from './socket-check.js'
import { checkStream } from './stream-check.js'
import { checkBodies, checkHsts, checkMicrophone, checkPlainHttp } from './transport-check.js'

/**
 * Looks from outside in: asks `PUBLIC_URL` as browsers and providers do, and from here those that the server has to reach. Nothing is changed,
 * nobody is called, and no key is sent there. What cannot be asked because of what was found before is left out.
 */
export async function examineOutside(env: NodeJS.ProcessEnv): Promise<Finding[]> {
  const { findings, settings } = checkSettings(env)
  if (!settings) return findings
  const { publicUrl, dataDirectory, keys } = settings
  if (publicUrl === undefined)
    return [
      ...findings,
      fail('PUBLIC_URL', 'is not set: there is no address to ask', 'set it to the address that browsers use'),
    ]
  const secret = knownKey(dataDirectory, keys, 'secret')
  if (secret === undefined)
    return [
      ...findings,
      fail(
        'keys',
        'are not known here: nobody could tell this installation from another one',
        'give this command the DATA_DIR or HEYLINE_SECRET of the server',
      ),
    ]
  const reached = reachOut(settings)
  return [...findings, ...(await lookIn(settings, publicUrl, secret)), ...(await reached)]
}

/** What browsers and providers find. */
async function lookIn(settings: Settings, publicUrl: string, secret: string): Promise<Finding[]> {
  const url = new URL(publicUrl)
  const isTls = url.protocol === 'https:'
  const findings = [await checkName(url)]
  const isBroken = () => findings.some(({ status }) => status === 'fail')
  if (isTls && !isBroken()) findings.push(await checkCertificate(url))
  if (isBroken()) return findings

  const mirror = new MirrorClient(publicUrl, secret)
  const plain = await mirror.ask()
  findings.push(await checkInstallation(publicUrl, plain))
  if (plain.by !== 'us') return findings
  if (isTls) findings.push(checkHsts(plain.headers), ...(await checkPlainHttp(url)))
  findings.push(checkMicrophone(url, await ask(`${publicUrl}/`)))
  if (!settings.platform) findings.push(await checkRooms(url))
  const forged = await mirror.ask({ headers: { 'x-forwarded-for': INVENTED } })
  findings.push(...addressFindings(plain, forged, isTls))
  const callbacks = [checkHook(settings, publicUrl), checkCarrier(settings, publicUrl)]
  return [
    ...findings,
    ...(await Promise.all([checkStream(mirror, plain.headers), checkBodies(mirror)])),
    ...(await Promise.all(callbacks)).flat(),
  ]
}

function addressFindings(
  { seen: plain, headers }: Extract<Reflection, { by: 'us' }>,
  forged: Reflection,
  isTls: boolean,
): Finding[] {
  // A proxy that refuses who makes up addresses is fine.
  const seen = forged.by === 'us' ? forged.seen : plain
  return [checkAddresses({ plain, forged: seen, headers, isTls })]
}

/** What the server has to reach, as far as it can be asked from here. */
async function reachOut(settings: Settings): Promise<Finding[]> {
  const { twilio, platform, publicUrl } = settings
  const unusable = platform ? undefined : carrierNeeds(publicUrl, twilio)
  return [
    ...(unusable ? [unusable] : []),
    ...(twilio && !platform ? [await checkTwilio(twilio)] : []),
    ...(platform ? await checkPlatform(platform, settings) : []),
  ]
}
