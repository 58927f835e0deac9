import type { Clock } from '@heyline/kit/clock'
import { KeptAnswer } from '@heyline/kit/kept-answer'
import { SealError } from '@heyline/kit/seal'
import type { Context, Hono } from 'hono'
import { z } from 'zod'
import type { PlatformLog } from '../logs/platform-log.js'
import type { OrgStore } from '../orgs/org-store.js'
import { ApiError } from '../resources/api-error.js'
import type { ResourceStore } from '../resources/resource-store.js'
import { CONSENT_PROVIDERS, Consents, connectionId } from '../third-parties/consents.js'
import { Nango, type NangoAccount, type NangoFetch, nangoAccount } from '../third-parties/nango.js'
import { nangoSignature } from '../third-parties/nango-signature.js'
import { lackingAccount, PartyAccounts } from '../third-parties/party-accounts.js'
import type { Doorkeeper } from './access.js'
import { bodyBytes } from './bounded-body.js'
import { parseBody, parseText } from './parse-request.js'

/** Most bytes of a webhook. */
const MOST_BYTES = 64_000
/** So long an account is remembered for webhooks, in ms: however many strangers come, the database is asked once. */
const KEPT_MS = 1_000

const session = z.strictObject({ provider: z.enum(CONSENT_PROVIDERS) })
const action = z.strictObject({
  action_name: z.string().min(1).max(255),
  input: z.looseObject({ credentialId: z.uuid().optional() }),
})
/** Nango adds types as it likes. */
const told = z.looseObject({ type: z.string() })
const dialogue = z.looseObject({
  operation: z.string(),
  success: z.boolean(),
  connectionId,
  providerConfigKey: z.string(),
})

export interface ConsentRoutes {
  doorkeeper: Doorkeeper
  /** Where the account at Nango is kept, and the consents. */
  credentials: ResourceStore
  orgs: OrgStore
  fetch: NangoFetch['fetch']
  guardedFetch: NangoFetch['guardedFetch']
  log: PlatformLog
  clock: Clock
}

/** What asks a provider’s user for consent, hears of it and acts with it, by an account at Nango. */
export function serveConsents(app: Hono, options: ConsentRoutes): void {
  const { doorkeeper, credentials, orgs, log, clock } = options
  const accounts = new PartyAccounts(credentials)
  const consents = new Consents(credentials)
  const account = async (): Promise<NangoAccount> => {
    const found = await accounts.find('nango', nangoAccount)
    if (!found) throw lackingAccount('Nango', { provider: 'nango', apiKey: '…' })
    return found.account
  }
  const nango = async (context: Context): Promise<Nango> => {
    await doorkeeper.admit(context.req.raw, 'private')
    return new Nango(await account(), options)
  }
  const signer = new KeptAnswer({ ask: () => account().catch(forStrangers), keptMs: KEPT_MS, clock })
  const note = (status: number, error?: string) =>
    log.add({
      ...{ at: clock.now(), type: 'API', method: 'POST', path: '/credential/webhook', status, error },
      resource: 'credential',
    })
  const hear = async (party: Nango, text: string): Promise<void> => {
    if ((await parseText(text, told)).type !== 'auth') return
    const { operation, success, providerConfigKey, connectionId } = await parseText(text, dialogue)
    // Another name would pass for an account of that provider.
    const provider = CONSENT_PROVIDERS.find((name) => name === providerConfigKey)
    if (!provider) return
    if (!success) return note(200, failureOf(provider, operation))
    const consent = { provider, connectionId }
    if (operation === 'refresh' || (await consents.has(consent))) return
    // Nango signs what it forwards, too, as it came from anybody: it is asked whose connection this really is.
    if (!(await party.isOf((await orgs.get()).id, consent))) return
    await consents.keep(consent)
    note(200)
  }

  app.post('/credential/session', async (context) => {
    const party = await nango(context)
    const { provider } = await parseBody(context.req.raw, session)
    return context.json({ sessionToken: await party.session(provider, (await orgs.get()).id) }, 201)
  })
  app.post('/credential/trigger', async (context) => {
    const party = await nango(context)
    const { action_name, input } = await parseBody(context.req.raw, action)
    const { credentialId, ...rest } = input
    await party.trigger(await consents.find(credentialId), action_name, rest)
    return context.body(null, 204)
  })
  // It comes from strangers: nothing of it is read where no account is stored, or no signature came.
  app.post('/credential/webhook', async (context) => {
    const signing = await signer.get()
    const { apiKey, webhookKey = apiKey } = signing
    const isSignedWith = nangoSignature(context.req.raw.headers)
    if (!isSignedWith) throw unsigned()
    const body = await bodyBytes(context.req.raw, MOST_BYTES)
    if (!isSignedWith(webhookKey, body)) throw unsigned()
    await hear(new Nango(signing, options), new TextDecoder().decode(body)).catch((error: unknown) => {
      if (error instanceof ApiError) note(error.status, error.message)
      throw error
    })
    return context.body(null, 200)
  })
}

const unsigned = () => new ApiError(401, 'It is not signed by the account at Nango that is stored here.')

/** What is wrong with a stored account is told to those who may store one. */
function forStrangers(error: unknown): never {
  if (error instanceof ApiError || error instanceof SealError)
    throw lackingAccount('Nango', { provider: 'nango', apiKey: '…' })
  throw error
}

const failureOf = (provider: string, operation: string): string =>
  operation === 'refresh'
    ? `The consent of a user of ${provider} cannot be renewed: ask for it again.`
    : `A user of ${provider} has not consented.`
