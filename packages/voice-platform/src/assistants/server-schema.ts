import type { BearerPlan, CreateAssistant, HmacPlan } from '@heyline/platform-client'
import { z } from 'zod'
import { hasUserinfo } from './userinfo.js'

/** A header's name (RFC 9110, 5.6.2), and a value that fetch sends. */
const headerName = z.string().regex(/^[\w!#$%&'*+.^`|~-]{1,100}$/, 'must be the name of a header')
const headerValue = z.string().regex(/^[\t\x20-\x7e\x80-\xff]{0,4000}$/, 'must be the value of a header')

const MOST_HEADERS = 50

/** Where an assistant's server messages go (the platform's Server), with its limits. Stored credentials are not served. */
export const messageServer = z.strictObject({
  url: z
    .url({ protocol: /^https?$/ })
    .refine((url) => !hasUserinfo(url), {
      error: 'must not name a user or a password: use headers, secret or a webhook credential',
    })
    .optional(),
  timeoutSeconds: z.number().min(1).max(300).optional(),
  headers: z
    .record(headerName, headerValue)
    .refine((headers) => Object.keys(headers).length <= MOST_HEADERS, {
      error: `must not have more than ${MOST_HEADERS} headers`,
    })
    .optional(),
  secret: headerValue.optional(),
  backoffPlan: z
    .strictObject({
      type: z.enum(['fixed', 'exponential']).default('fixed'),
      maxRetries: z.int().min(0).max(10).default(0),
      baseDelaySeconds: z.number().min(0).max(10).default(1),
    })
    .optional(),
  staticIpAddressesEnabled: z.boolean().optional(),
})

/** A server that is asked: who answers a call for which nobody is set, or what a knowledge base knows. */
export const askedServer = messageServer.required({ url: true })
export type AskedServer = z.output<typeof askedServer>

const hmacPlan = z.object({
  type: z.literal('hmac'),
  secretKey: z.string(),
  algorithm: z.enum(['sha256', 'sha512', 'sha1'], {
    error: 'must be one of the following values: sha256, sha512, sha1',
  }),
  signatureHeader: headerName.optional(),
  timestampHeader: headerName.optional(),
  signaturePrefix: headerValue.optional(),
  includeTimestamp: z.boolean().optional(),
  payloadFormat: z.string().max(1000).optional(),
  messageIdHeader: headerName.optional(),
  signatureEncoding: z.enum(['hex', 'base64']).optional(),
  secretIsBase64: z.boolean().optional(),
})

const bearerPlan = z.object({
  type: z.literal('bearer'),
  token: headerValue,
  headerName: headerName.optional(),
  bearerPrefixEnabled: z.boolean().optional(),
})

const webhookCredential = z.object({
  provider: z.literal('webhook'),
  authenticationPlan: z.discriminatedUnion('type', [hmacPlan, bearerPlan], {
    error: 'must be hmac or bearer: other plans are not served',
  }),
})

const isWebhook = (credential: unknown): boolean =>
  z.object({ provider: z.literal('webhook') }).safeParse(credential).success

/**
 * An assistant's credentials, stored as they come. Only a `webhook` credential is checked: if its plan is not served, the messages
 * would go out unsigned, and nobody would notice.
 */
export const assistantCredentials = z
  .custom<NonNullable<CreateAssistant['credentials']>>(Array.isArray, 'must be an array')
  .superRefine((credentials, context) => {
    for (const [index, credential] of credentials.entries()) {
      const issues = isWebhook(credential) ? webhookCredential.safeParse(credential).error?.issues : undefined
      for (const { path, message } of issues ?? [])
        context.addIssue({ code: 'custom', path: [index, ...path], message })
    }
  })

/** Whether an assistant has `webhook` credentials, but none that is served. */
export const lacksAuthentication = (credentials: unknown): boolean =>
  Array.isArray(credentials) && credentials.some(isWebhook) && !authenticationOf(credentials)

/** The plan of the first `webhook` credential that is served. OAuth 2 plans are not. */
export function authenticationOf(credentials: unknown): HmacPlan | BearerPlan | undefined {
  if (!Array.isArray(credentials)) return undefined
  for (const credential of credentials) {
    const parsed = webhookCredential.safeParse(credential)
    if (parsed.success) return withoutUndefined(parsed.data.authenticationPlan)
  }
  return undefined
}

/** Zod's optional fields may be undefined; the client's types only let them be missing. JSON has no undefined, so both agree. */
const withoutUndefined = (plan: z.infer<typeof webhookCredential>['authenticationPlan']) =>
  plan as HmacPlan | BearerPlan
