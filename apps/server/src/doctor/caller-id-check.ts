import type { Db } from '@heyline/database'
import { SettingError } from '@heyline/kit/setting-error'
import {
  FICTIONAL_NUMBER,
  NumberAccountError,
  PhoneNumberStore,
  TwilioAccount,
} from '@heyline/voice-platform'
import { CommandError } from '../command/terminal/command-error.js'
import { NO_CALLER_ID, NOT_OURS, storedCallerId } from '../ends/caller-id.js'
import { knownKey } from '../keys/key-ring.js'
import { runningNumbers } from '../numbers/running-numbers.js'
import type { ServerFile } from '../running-server/server-file.js'
import type { Settings } from '../settings/settings.js'
import { type Finding, fail, ok, warn } from './finding.js'
import { inboundFindings } from './inbound-check.js'

const CHECK = 'TWILIO_CALLER_ID'
const COUNTRIES = 'CALL_COUNTRIES'
/** Longest list of stored numbers. */
const STORED_MOST = 1000
/** Countries that Twilio is asked about at once. */
const AT_ONCE = 10

/** Whether the account may call from the number that calls are made from: that of a database nobody has open. */
export async function checkCallerId(settings: Settings, db: Db): Promise<Finding[]> {
  if (!settings.twilio || settings.platform) return []
  const { twilio, phoneNumberId } = settings
  try {
    const store = new PhoneNumberStore(db)
    const stored = (await store.list({ limit: STORED_MOST })).flatMap(({ number }) => number ?? [])
    return [
      ...(await callerIdFindings(settings, await storedCallerId({ twilio, phoneNumberId }, store))),
      ...(await inboundFindings(settings, stored.reverse())),
    ]
  } catch (error) {
    if (!(error instanceof SettingError)) throw error
    return [fail(error.setting, 'names no stored number', 'copy an id from heyline numbers list --json')]
  }
}

/** The same, of the running server, whose answer counts. */
export async function checkRunningCallerId(settings: Settings, { url }: ServerFile): Promise<Finding[]> {
  const { twilio, platform, keys, dataDirectory, phoneNumberId } = settings
  if (!twilio || platform) return []
  const secret = knownKey(dataDirectory, keys, 'secret')
  if (secret === undefined) return twilio.callerId ? callerIdFindings(settings, twilio.callerId) : []
  try {
    const { numbers } = await runningNumbers(url, secret).list()
    const chosen = numbers.find(({ id, isDefault }) => (phoneNumberId ? id === phoneNumberId : isDefault))
    return [
      ...(await callerIdFindings(settings, twilio.callerId ?? chosen?.number ?? undefined)),
      ...(await inboundFindings(
        settings,
        numbers.flatMap(({ number }) => number ?? []),
      )),
    ]
  } catch (error) {
    if (error instanceof CommandError)
      return twilio.callerId ? callerIdFindings(settings, twilio.callerId) : []
    throw error
  }
}

/** What Twilio says of a number. */
export async function callerIdFindings({ twilio }: Settings, number: string | undefined): Promise<Finding[]> {
  if (!twilio) return []
  if (number === undefined || number === FICTIONAL_NUMBER)
    return [fail(CHECK, NO_CALLER_ID, 'set TWILIO_CALLER_ID, or heyline numbers add NUMBER --default')]
  try {
    const right = await new TwilioAccount(twilio).find(number)
    if (right === undefined)
      return [fail(CHECK, `the number that calls ${NOT_OURS}`, 'see Phone Numbers in the console of Twilio')]
    return [
      ok(CHECK, right === 'bought' ? 'is a number of the account' : 'is a verified caller id of the account'),
    ]
  } catch (error) {
    if (!(error instanceof NumberAccountError)) throw error
    return [warn(CHECK, `could not be checked: ${error.message}`, 'see what is said of the account')]
  }
}

/** Whether the account may call the countries that the gate lets pass: Twilio keeps its own list, its geo permissions. */
export async function checkCountries({ twilio, calls, callDesk }: Settings): Promise<Finding[]> {
  if (!twilio || callDesk !== 'all') return []
  const account = new TwilioAccount(twilio)
  const countries = [...calls.gate.countries.keys()]
  const closed: string[] = []
  try {
    while (countries.length > 0) {
      const part = countries.splice(0, AT_ONCE)
      const open = await Promise.all(part.map((country) => account.mayCall(country)))
      closed.push(...part.filter((_, index) => !open[index]))
    }
  } catch (error) {
    if (!(error instanceof NumberAccountError)) throw error
    return [
      warn(
        COUNTRIES,
        `Twilio does not say whether the account may call them: ${error.message}`,
        'look at Voice, Settings, Geo permissions in the console of Twilio',
      ),
    ]
  }
  return closed.length > 0
    ? [
        fail(
          COUNTRIES,
          `the Twilio account may not call ${closed.join(', ')}`,
          'allow them under Voice, Settings, Geo permissions in the console of Twilio, or take them out',
        ),
      ]
    : [ok(COUNTRIES, 'the Twilio account may call all of them')]
}
