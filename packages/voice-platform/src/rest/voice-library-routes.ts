import type { Db } from '@heyline/database'
import type { Context, Hono } from 'hono'
import type { VoiceShelf } from '../third-parties/voice-shelf.js'
import { listVoices, type VoiceLibrary } from '../voice-library/voice-library.js'
import type { Doorkeeper } from './access.js'
import { parse } from './parse-request.js'

export interface VoiceLibraryRoutes {
  db: Db
  voiceLibrary: VoiceLibrary
  /** What accounts at third parties have. */
  voices: VoiceShelf
  doorkeeper: Doorkeeper
}

/** The voices that this installation speaks with, and those that were taken up from accounts at third parties. */
export function serveVoiceLibrary(
  app: Hono,
  { db, voiceLibrary, voices, doorkeeper }: VoiceLibraryRoutes,
): void {
  const orgIdFor = async (context: Context): Promise<string> => {
    await doorkeeper.admit(context.req.raw, 'private')
    const { rows } = await db.query<{ org_id: string }>('select org_id from voice_platform.settings')
    return rows[0]?.org_id ?? ''
  }

  app.get('/voice-library/:provider', async (context) => {
    const orgId = await orgIdFor(context)
    const filter = parse(context.req.query(), listVoices)
    const provider = context.req.param('provider')
    return context.json(voiceLibrary.list(provider, orgId, filter, await voices.list(provider)))
  })
  app.get('/voice-library/:provider/accents', async (context) => {
    const orgId = await orgIdFor(context)
    const provider = context.req.param('provider')
    return context.json(voiceLibrary.accents(provider, orgId, await voices.list(provider)))
  })
}
