import { z } from 'zod'
import { httpUrl, onOff, origins, port, postgresUrl } from './value.js'

const text = z.string()

/** Every variable that is read, with its default. `.env.example` says what each is for. */
export const environment = z.object({
  PORT: port.prefault('3000'),
  HOST: text.default('127.0.0.1'),
  PUBLIC_URL: httpUrl.optional(),
  DATA_DIR: text.default('./data'),
  DATABASE_URL: postgresUrl.optional(),
  SUPABASE_URL: httpUrl.optional(),
  SUPABASE_PUBLISHABLE_KEY: text.optional(),
  SUPABASE_SECRET_KEY: text.optional(),
  VISITOR_HEADER: onOff.prefault('on'),
  CALL_WEBHOOK_URL: httpUrl.optional(),
  PLATFORM_URL: httpUrl.optional(),
  PLATFORM_PUBLIC_KEY: text.optional(),
  PLATFORM_PRIVATE_KEY: text.optional(),
  PLATFORM_ASSISTANT_ID: text.optional(),
  PLATFORM_PHONE_NUMBER_ID: text.optional(),
  PLATFORM_HOOK_SECRET: text.min(24, 'is shorter than 24 characters').optional(),
  WEBSITE_URL: httpUrl.prefault('https://example.com'),
  CARRIER: z.enum(['simulated', 'twilio'], { error: 'is neither simulated nor twilio' }).default('simulated'),
  TWILIO_ACCOUNT_SID: text.optional(),
  TWILIO_AUTH_TOKEN: text.optional(),
  TWILIO_API_URL: httpUrl.prefault('https://api.twilio.com'),
  MODEL_URL: httpUrl.optional(),
  MODEL_KEY: text.optional(),
  MODEL_NAME: text.optional(),
  TRANSCRIBER_URL: httpUrl.optional(),
  TRANSCRIBER_KEY: text.optional(),
  TRANSCRIBER_NAME: text.optional(),
  VOICE_URL: httpUrl.optional(),
  VOICE_KEY: text.optional(),
  VOICE_NAME: text.optional(),
  PHONE_KEY: text.min(16, 'is shorter than 16 characters').optional(),
  LOG_VISITORS: onOff.prefault('on'),
  ALLOWED_ORIGINS: origins.prefault(''),
})

export type Environment = z.output<typeof environment>

/** Variables of the design that nothing stands behind yet: a guard that is set and not served would be a lie. */
export const NOT_SERVED_YET = [
  'BROWSER_TRANSCRIBER',
  'CALL_COUNTRIES',
  'CALL_DISCLOSURE',
  'CALL_GATE',
  'COMPANY_NAME',
  'HUMAN_CHECK',
  'LIVE_STATUS',
  'RECORDING',
  'EVENTS_URL',
  'EVENTS_SECRET',
  'TRUST_PROXY',
] as const
export const NOT_SERVED_YET_PREFIX = 'CALL_LIMIT_'
