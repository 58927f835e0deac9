import type { Context, Hono } from 'hono'
import { z } from 'zod'
import { ApiError } from '../resources/api-error.js'
import type { ResourceStore } from '../resources/resource-store.js'
import { ElevenLabs, elevenLabsAccount } from '../third-parties/eleven-labs.js'
import { GoHighLevel, goHighLevelAccount } from '../third-parties/go-high-level.js'
import { Make, makeAccount } from '../third-parties/make.js'
import { lackingAccount, PartyAccounts } from '../third-parties/party-accounts.js'
import type { VoiceShelf } from '../third-parties/voice-shelf.js'
import { askerOf, type Doorkeeper } from './access.js'
import { Forms } from './forms.js'
import { parse, parseBody } from './parse-request.js'

const ELEVEN_LABS = '11labs'
const MAKE = 'make'
const GO_HIGH_LEVEL = ['gohighlevel', 'ghl']

/** Recordings of a voice, and the bytes of all of them together. */
const MOST_RECORDINGS = 25
const MOST_BYTES = 20_000_000

const id = z.string().min(1).max(200)
const addition = z.strictObject({ ownerId: id, voiceId: id, name: z.string().min(1).max(100) })
const cloning = z.strictObject({
  name: z.string().min(1).max(100),
  description: z.string().max(500).optional(),
  labels: z.string().max(2_000).optional(),
  files: z.array(z.file('must be a file of a multipart form')).min(1).max(MOST_RECORDINGS),
})
const search = z.strictObject({ name: z.string().min(1).max(200) })
/** Parties whose voices are taken up at once. */
const MOST_PARTIES = 20
const party = z.string().min(1).max(50)
/** One name, as the hosted platform's reference has it, or a list, as the name of the field says. */
const parties = { error: `must be the name of a provider, or a list of 1 to ${MOST_PARTIES}` }
const syncing = z.strictObject({
  providers: z
    .union([party.transform((name) => [name]), z.array(party)], parties)
    .refine(({ length }) => length > 0 && length <= MOST_PARTIES, parties)
    .default([ELEVEN_LABS]),
})

export interface ThirdPartyRoutes {
  doorkeeper: Doorkeeper
  /** Where the keys of the parties are kept. */
  credentials: ResourceStore
  voices: VoiceShelf
  fetch: typeof fetch
}

/** What the account of a third party does, with the key that is stored as its credential. */
export function serveThirdParties(app: Hono, options: ThirdPartyRoutes): void {
  const { doorkeeper, voices, fetch } = options
  const accounts = new PartyAccounts(options.credentials)
  const forms = new Forms(MOST_BYTES)
  const admit = (context: Context) => doorkeeper.admit(context.req.raw, 'private')
  /** The party of the path, once whoever asks is admitted. */
  const provider = async (context: Context): Promise<string> => {
    await admit(context)
    return context.req.param('provider') ?? ''
  }
  const elevenLabs = async () => {
    const found = await accounts.find(ELEVEN_LABS, elevenLabsAccount)
    if (!found) throw lackingAccount('ElevenLabs', { provider: ELEVEN_LABS, apiKey: '…' })
    return { credentialId: found.id, party: new ElevenLabs(found.account, fetch) }
  }
  const make = async () => {
    const found = await accounts.find(MAKE, makeAccount)
    if (!found) throw lackingAccount('Make', { provider: MAKE, apiKey: '…', teamId: '…', region: 'eu1' })
    return new Make(found.account, fetch)
  }
  const goHighLevel = async () => {
    const found = await accounts.find('gohighlevel', goHighLevelAccount)
    if (!found) throw lackingAccount('GoHighLevel', { provider: 'gohighlevel', apiKey: '…' })
    return new GoHighLevel(found.account, fetch)
  }
  /** Only ElevenLabs has a library that can be searched and added to, and whose voices can be taken up. */
  const withVoices = async (context: Context) => {
    refuseOtherLibraries(await provider(context))
    return elevenLabs()
  }
  const sync = async () => {
    const { credentialId, party } = await elevenLabs()
    return voices.sync(ELEVEN_LABS, credentialId, await party.voices())
  }

  app.get('/:provider/workflows', async (context) => {
    const name = await provider(context)
    if (name === MAKE) return context.json(await (await make()).workflows())
    if (!GO_HIGH_LEVEL.includes(name)) throw noWorkflows(name)
    const { locationId } = parse(context.req.query(), z.strictObject({ locationId: id }))
    return context.json(await (await goHighLevel()).workflows(locationId))
  })
  app.get('/:provider/workflows/:workflowId/hooks', async (context) => {
    const name = await provider(context)
    if (name === MAKE) return context.json(await (await make()).hooks(context.req.param('workflowId')))
    throw GO_HIGH_LEVEL.includes(name)
      ? ApiError.notServed('Workflows of GoHighLevel have no hooks that its API shows.')
      : noWorkflows(name)
  })
  app.get('/:provider/locations', async (context) => {
    const name = await provider(context)
    if (!GO_HIGH_LEVEL.includes(name))
      throw ApiError.notServed(`${name} has no locations: ${GO_HIGH_LEVEL[0]} has.`)
    return context.json(await (await goHighLevel()).locations())
  })
  for (const kind of ['voice', 'voices']) {
    app.get(`/:provider/${kind}/search`, async (context) => {
      const { party } = await withVoices(context)
      return context.json(await party.search(parse(context.req.query(), search).name))
    })
    app.post(`/:provider/${kind}/add`, async (context) => {
      const { credentialId, party } = await withVoices(context)
      const { ownerId, voiceId, name } = await parseBody(context.req.raw, addition)
      const providerId = await party.add(ownerId, voiceId, name)
      return context.json(await voices.keep(ELEVEN_LABS, credentialId, { providerId, name }), 201)
    })
  }
  app.post('/11labs/voice/clone', async (context) => {
    const asker = askerOf(await admit(context))
    const { credentialId, party } = await elevenLabs()
    await forms.take(asker, context.req.raw, async (form) => {
      const { files: _, ...fields } = Object.fromEntries(form)
      const asked = parse({ ...fields, files: form.getAll('files') }, cloning)
      const providerId = await party.clone(asked)
      const { name, description } = asked
      await voices.keep(ELEVEN_LABS, credentialId, { providerId, name, description })
    })
    return context.body(null, 201)
  })
  app.post('/voice-library/sync/:provider', async (context) => {
    await withVoices(context)
    return context.json(await sync(), 201)
  })
  app.post('/voice-library/sync', async (context) => {
    await admit(context)
    const { providers } = await parseBody(context.req.raw, syncing)
    for (const name of providers) refuseOtherLibraries(name)
    return context.json(await sync(), 201)
  })
}

/** Throws an `ApiError` 422. */
function refuseOtherLibraries(name: string): void {
  if (name !== ELEVEN_LABS) throw ApiError.notServed(`${name} has no voice library here: ${ELEVEN_LABS} has.`)
}

const noWorkflows = (name: string): ApiError =>
  ApiError.notServed(`${name} has no workflows: ${[MAKE, ...GO_HIGH_LEVEL].join(' and ')} have.`)
