import type { Db } from '@heyline/database'
import type { Context, Hono } from 'hono'
import { listVoices, type VoiceLibrary } from '../voice-library/voice-library.js'
import type { Doorkeeper } from './access.js'
import { parse } from './parse-request.js'

export interface VoiceLibraryRoutes {
  db: Db
  voiceLibrary: VoiceLibrary
  doorkeeper: Doorkeeper
}

/** The voices that this installation speaks with. Of other providers it knows none. */
export function serveVoiceLibrary(app: Hono, { db, voiceLibrary, doorkeeper }: VoiceLibraryRoutes): void {
  const orgIdFor = async (context: Context): Promise<string> => {
    await doorkeeper.admit(context.req.raw, 'private')
    const { rows } = await db.query<{ org_id: string }>('select org_id from voice_platform.settings')
    return rows[0]?.org_id ?? ''
  }

  app.get('/voice-library/:provider', async (context) => {
    const orgId = await orgIdFor(context)
    const filter = parse(context.req.query(), listVoices)
    return context.json(voiceLibrary.list(context.req.param('provider'), orgId, filter))
  })
  app.get('/voice-library/:provider/accents', async (context) => {
    const orgId = await orgIdFor(context)
    return context.json(voiceLibrary.accents(context.req.param('provider'), orgId))
  })
}
