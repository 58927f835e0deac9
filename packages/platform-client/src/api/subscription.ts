import type { OpenString } from './open-string.js'

/** What an organisation has bought, with its counters. Credits are strings, so that they lose no digit. */
export interface Subscription {
  id: string
  /** ISO 8601. */
  createdAt: string
  /** ISO 8601. */
  updatedAt: string
  type: OpenString<'trial' | 'pay-as-you-go' | 'enterprise' | 'agency' | 'startup' | 'growth' | 'scale'>
  status: OpenString<'active' | 'frozen'>
  /** What is left. */
  credits: string
  /** Calls at this moment, of all organisations under the subscription; at least 1. */
  concurrencyCounter: number
  /** Calls at a time, at least 1, without add-ons. */
  concurrencyLimitIncluded: number
  /** Calls at a time that were bought beside those; at least 1. */
  concurrencyLimitPurchased: number
  /** Free phone numbers in use; at least 1. */
  phoneNumbersCounter?: number
  /** Free phone numbers that can be had; at least 1. */
  phoneNumbersIncluded?: number
  monthlyChargeScheduleId?: number
  monthlyCreditCheckScheduleId?: number
  stripeCustomerId?: string
  stripePaymentMethodId?: string
  stripePaymentMethodFingerprint?: string
  stripeCustomerEmail?: string
  slackSupportEnabled?: boolean
  slackChannelId?: string
  /** Whether its organisations may switch HIPAA on. */
  hipaaEnabled?: boolean
  hipaaCommonPaperAgreementId?: string
  /** Whether its organisations may switch PCI on. */
  pciEnabled?: boolean
  pciCommonPaperAgreementId?: string
  referredByEmail?: string
  /** Buys `credits` when they fall to `threshold`. */
  autoReloadPlan?: { credits: number; threshold: number }
  /** Minutes, at least 0. */
  minutesIncluded?: number
  /** Minutes, at least 0. */
  minutesUsed?: number
  /** When the free minutes start again. ISO 8601. */
  minutesUsedNextResetAt?: string
  /** Price of a minute beyond those included; enterprise only. */
  minutesOverageCost?: number
  /** Enterprise only. */
  providersIncluded?: string[]
  /** Outbound calls a day, at least 1. */
  outboundCallsDailyLimit?: number
  /** Outbound calls of this day; at least 1. */
  outboundCallsCounter?: number
  /** When that counter starts again. ISO 8601. */
  outboundCallsCounterNextResetAt?: string
  couponIds?: string[]
  /** Credits left of a coupon. */
  couponUsageLeft?: string
  invoicePlan?: {
    companyName?: string
    companyAddress?: string
    companyTaxId?: string
    /** Default: the subscription's address. */
    companyEmail?: string
  }
}
