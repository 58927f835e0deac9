import type { ToldEvent } from './told-event.js'

/** Who did it, without saying which operator: addresses of people stay here. */
const actorOf = (actor: string): 'visitor' | 'system' | 'operator' =>
  actor === 'visitor' || actor === 'system' ? actor : 'operator'

/** What a program is told: a pure function of the stored event, so that each try has the same bytes. The rest is behind the link. */
export const webhookBody = ({ id, type, at, slug, actor, callId }: ToldEvent, link: string): string =>
  JSON.stringify({
    type,
    timestamp: at,
    data: { id, slug, actor: actorOf(actor), callId, link },
  })
