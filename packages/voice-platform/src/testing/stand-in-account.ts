/** A number of the account, and what it can do. */
interface BoughtNumber {
  number: string
  voice: boolean
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
  readonly #account: string

  constructor(accountSid: string) {
    this.#account = `/2010-04-01/Accounts/${accountSid}`
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
        incoming_phone_numbers: this.bought
          .filter(({ number }) => found(number))
          .map(({ number, voice }) => ({
            phone_number: number,
            capabilities: { voice, sms: true, mms: true, fax: false },
          })),
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
