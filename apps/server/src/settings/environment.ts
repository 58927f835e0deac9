import { VISITOR_ACCESS } from '@heyline/backend'
import { z } from 'zod'
import { callEnvironment } from './call-environment.js'
import {
  baseUrl,
  httpUrl,
  onOff,
  origin,
  origins,
  port,
  postgresUrl,
  proxies,
  secret,
  secretAndFormer,
} from './value.js'

const text = z.string()

/** Every variable that is read, with its default. `.env.example` says what each is for. */
export const environment = z.object({
  PORT: port.prefault('3000'),
  HOST: text.default('127.0.0.1'),
  PUBLIC_URL: origin.optional(),
  DATA_DIR: text.default('./data'),
  DATABASE_URL: postgresUrl.optional(),
  SUPABASE_URL: baseUrl.optional(),
  SUPABASE_PUBLISHABLE_KEY: secret(1).optional(),
  SUPABASE_SECRET_KEY: secret(1).optional(),
  VISITOR_ACCESS: z.enum(VISITOR_ACCESS, { error: 'is neither slug nor open' }).default('slug'),
  VISITOR_HEADER: onOff.prefault('on'),
  CALL_WEBHOOK_URL: httpUrl.optional(),
  PLATFORM_URL: baseUrl.optional(),
  PLATFORM_PUBLIC_KEY: secret(1).optional(),
  PLATFORM_PRIVATE_KEY: secret(1).optional(),
  PLATFORM_ASSISTANT_ID: text.optional(),
  PLATFORM_PHONE_NUMBER_ID: text.optional(),
  PLATFORM_HOOK_SECRET: secretAndFormer(24).optional(),
  WEBSITE_URL: httpUrl.prefault('https://example.com'),
  CARRIER: z.enum(['simulated', 'twilio'], { error: 'is neither simulated nor twilio' }).default('simulated'),
  TWILIO_ACCOUNT_SID: text.optional(),
  TWILIO_AUTH_TOKEN: secret(1).optional(),
  TWILIO_API_URL: baseUrl.prefault('https://api.twilio.com'),
  MODEL_URL: baseUrl.optional(),
  MODEL_KEY: secret(1).optional(),
  MODEL_NAME: text.optional(),
  TRANSCRIBER_URL: baseUrl.optional(),
  TRANSCRIBER_KEY: secret(1).optional(),
  TRANSCRIBER_NAME: text.optional(),
  VOICE_URL: baseUrl.optional(),
  VOICE_KEY: secret(1).optional(),
  VOICE_NAME: text.optional(),
  BROWSER_TRANSCRIBER: onOff.optional(),
  PHONE_KEY: secret(16).optional(),
  LOG_VISITORS: onOff.prefault('on'),
  IN_CALL_STRIP: onOff.prefault('on'),
  ALLOWED_ORIGINS: origins.prefault(''),
  TRUST_PROXY: proxies.optional(),
  ...callEnvironment,
})

export type Environment = z.output<typeof environment>

/**
 * Variables that nothing stands behind yet, and the value that says what is served anyway. Any other value stops the start:
 * a guard that is set and not served would be a lie.
 */
export const NOT_SERVED_YET: Readonly<Record<string, string | undefined>> = {
  EVENTS_SECRET: undefined,
  EVENTS_URL: undefined,
  RECORDING: 'off',
}
