import type { Page, Pages } from '../api/page.js'
import type {
  CreatePhoneNumber,
  ImportTwilioPhoneNumber,
  ImportVonagePhoneNumber,
  ListPhoneNumbers,
  ListPhoneNumbersPage,
  PhoneNumber,
  UpdatePhoneNumber,
} from '../api/phone-number.js'
import type { RequestOptions } from '../request/request-input.js'

/** The numbers that call and can be called. `provider` tells the five kinds apart. */
export interface PhoneNumbers {
  /** The newest numbers first, 100 unless `limit` says otherwise: `GET /phone-number`. */
  list(query?: ListPhoneNumbers, options?: RequestOptions): Promise<PhoneNumber[]>

  /** One page of the numbers: `GET /v2/phone-number`. */
  listPage(query?: ListPhoneNumbersPage, options?: RequestOptions): Promise<Page<PhoneNumber>>

  /** All numbers, page after page: `GET /v2/phone-number`. */
  pages(query?: ListPhoneNumbersPage, options?: RequestOptions): Pages<PhoneNumber>

  /** Takes over a number from a provider, or takes a new one of the platform's: `POST /phone-number`. */
  create(body: CreatePhoneNumber, options?: RequestOptions): Promise<PhoneNumber>

  /** One number: `GET /phone-number/{id}`. */
  get(id: string, options?: RequestOptions): Promise<PhoneNumber>

  /** Changes the fields that are given: `PATCH /phone-number/{id}`. */
  update(id: string, body: UpdatePhoneNumber, options?: RequestOptions): Promise<PhoneNumber>

  /** Gives a number up: `DELETE /phone-number/{id}`. */
  delete(id: string, options?: RequestOptions): Promise<PhoneNumber | undefined>

  /**
   * Takes over a number from Twilio: `POST /phone-number/import/twilio`.
   * @deprecated `create` with `provider: 'twilio'`
   */
  importTwilio(body: ImportTwilioPhoneNumber, options?: RequestOptions): Promise<PhoneNumber>

  /**
   * Takes over a number from Vonage: `POST /phone-number/import/vonage`.
   * @deprecated `create` with `provider: 'vonage'`
   */
  importVonage(body: ImportVonagePhoneNumber, options?: RequestOptions): Promise<PhoneNumber>
}
