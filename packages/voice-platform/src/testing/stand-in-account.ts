/** A number of the account, what it can do, and what answers calls to it. Its sid is `PN` and its digits. */
interface BoughtNumber {
  number: string
  voice: boolean
  voiceUrl?: string
  voiceMethod?: string
  application?: string
  trunk?: string
}

/**
 * Twilio's IncomingPhoneNumbers and OutgoingCallerIds of an account, and its geo permissions.
 * https://www.twilio.com/docs/phone-numbers/api/incomingphonenumber-resource, https://www.twilio.com/docs/voice/api/outgoing-caller-ids,
 * https://www.twilio.com/docs/voice/api/dialingpermissions-country-resource
 */
export class StandInAccount {
  readonly bought: BoughtNumber[] = [
    { number: '+14155552671', voice: true },
    { number: '+14155552672', voice: false },
  ]
  readonly verified: string[] = ['+14155552673']
  /** Countries that may be called. */
  readonly countries = new Set(['US'])
  /** Paths that were asked for, in order, without their query. */
  readonly asked: string[] = []
  /** The forms that changed numbers, in order. */
  readonly changes: Record<string, string>[] = []
  readonly #account: string

  constructor(accountSid: string) {
    this.#account = `/2010-04-01/Accounts/${accountSid}`
  }

  /** The answer to a POST that changes a number; undefined where it is for somebody else. What a form leaves out stays. */
  change(url: string, form: URLSearchParams): { status: number; body: object } | undefined {
    const sid = url.match(/\/IncomingPhoneNumbers\/(PN\d+)\.json$/)?.[1]
    const number = this.bought.find((each) => sidOf(each) === sid)
    if (!number || !url.startsWith(this.#account)) return undefined
    this.changes.push(Object.fromEntries(form))
    number.voiceUrl = form.get('VoiceUrl') ?? number.voiceUrl ?? ''
    number.voiceMethod = form.get('VoiceMethod') ?? number.voiceMethod ?? 'POST'
    number.application = form.get('VoiceApplicationSid') ?? number.application ?? ''
    number.trunk = form.get('TrunkSid') ?? number.trunk ?? ''
    return { status: 200, body: resourceOf(number) }
  }

  /** The answer to a GET; undefined where it is for somebody else. */
  answer(url: string): { status: number; body: object } | undefined {
    const { pathname, searchParams } = new URL(url, 'http://stand-in')
    const part = searchParams.get('PhoneNumber')?.replace(/^\+/, '') ?? ''
    const found = (number: string) => number.includes(part)
    const country = pathname.match(/^\/v1\/DialingPermissions\/Countries\/([A-Z]{2})$/)?.[1]
    const body = {
      [`${this.#account}.json`]: () => ({ status: 'active' }),
      [`${this.#account}/IncomingPhoneNumbers.json`]: () => ({
        incoming_phone_numbers: this.bought.filter(({ number }) => found(number)).map(resourceOf),
        page: 0,
        page_size: 50,
      }),
      [`${this.#account}/OutgoingCallerIds.json`]: () => ({
        outgoing_caller_ids: this.verified.filter(found).map((number) => ({ phone_number: number })),
        page: 0,
        page_size: 50,
      }),
      ...(country && {
        [pathname]: () => ({
          iso_code: country,
          low_risk_numbers_enabled: this.countries.has(country),
          high_risk_special_numbers_enabled: false,
          high_risk_tollfraud_numbers_enabled: false,
        }),
      }),
    }[pathname]
    if (!body) return undefined
    this.asked.push(pathname)
    return { status: 200, body: body() }
  }
}

const sidOf = ({ number }: BoughtNumber): string => `PN${number.slice(1)}`

const resourceOf = (each: BoughtNumber) => ({
  sid: sidOf(each),
  phone_number: each.number,
  capabilities: { voice: each.voice, sms: true, mms: true, fax: false },
  voice_url: each.voiceUrl ?? 'https://demo.twilio.com/welcome/voice/',
  voice_method: each.voiceMethod ?? 'POST',
  voice_application_sid: each.application || null,
  trunk_sid: each.trunk || null,
})
