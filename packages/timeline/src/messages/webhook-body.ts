import { actorKind } from '../events/actor-kind.js'
import type { ToldEvent } from './told-event.js'

/** What a program is told, without addresses of people: a pure function of the stored event, so that each try has the same bytes. The rest is behind the link. */
export const webhookBody = ({ id, type, at, slug, actor, callId }: ToldEvent, link: string): string =>
  JSON.stringify({
    type,
    timestamp: at,
    data: { id, slug, actor: actorKind(actor), callId, link },
  })
