import { FICTIONAL_NUMBER, NumberAccountError, TwilioAccount } from '@heyline/voice-platform'
import type { Settings } from '../settings/settings.js'
import { type Finding, ok, warn } from './finding.js'

const CHECK = 'phone numbers'
/** Most numbers that Twilio is asked about, and how many at once. */
const MOST = 50
const AT_ONCE = 10

/** Where calls to each of these numbers go, as Twilio has it. */
export async function inboundFindings(
  { twilio, publicUrl }: Pick<Settings, 'twilio' | 'publicUrl'>,
  numbers: readonly string[],
): Promise<Finding[]> {
  if (!twilio) return []
  const account = new TwilioAccount({ ...twilio, publicUrl })
  const real = numbers.filter((number) => number !== FICTIONAL_NUMBER)
  const looked = real.slice(0, MOST)
  const findings: Finding[] = []
  for (let from = 0; from < looked.length; from += AT_ONCE)
    findings.push(
      ...(await Promise.all(looked.slice(from, from + AT_ONCE).map((each) => ofCallsTo(account, each)))),
    )
  const unasked = real.length - looked.length
  return unasked > 0
    ? [...findings, warn(CHECK, `${unasked} more numbers were not looked at`, 'look at them at Twilio')]
    : findings
}

async function ofCallsTo(account: TwilioAccount, number: string): Promise<Finding> {
  try {
    const route = await account.inbound(number)
    if (route === undefined)
      return ok(CHECK, `calls to ${number} never come through the account: it is no number bought there`)
    if (route.to === 'here') return ok(CHECK, `calls to ${number} reach this server`)
    if (route.to !== 'elsewhere')
      return warn(
        CHECK,
        `calls to ${number} are answered by nobody of yours`,
        `heyline numbers inbound ${number}, if they shall come here`,
      )
    const where = `calls to ${number} go to ${route.where}, not to this server`
    return route.isFormer
      ? warn(CHECK, where, `heyline numbers inbound ${number} --overwrite, if that was its address before`)
      : ok(CHECK, where)
  } catch (error) {
    if (!(error instanceof NumberAccountError)) throw error
    return warn(
      CHECK,
      `where calls to ${number} go could not be checked: ${error.message}`,
      'see what is said of the account',
    )
  }
}
