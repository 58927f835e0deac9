import {
  COMPARISONS,
  CRUMBS,
  chunked,
  greetedBy,
  MANY_SIGNATURES,
  type Send,
  signed,
  wrongly,
} from '../aims/costly-requests.js'
import { stranger } from '../attack.js'
import type { Flood, Step } from '../flood.js'

/** Each time of another stranger. */
const ofStrangers =
  (send: Send): Step =>
  (place) =>
    send(stranger(place))

export const signatures: Flood = {
  what: 'messages with seven thousand signatures',
  begin: (server) => ofStrangers(signed(server, MANY_SIGNATURES)),
}

export const values: Flood = {
  what: 'bodies of twenty thousand messages',
  begin: (server) => ofStrangers(wrongly(server, 20_000)),
}

export const templates: Flood = {
  what: 'templates full of comparisons, from five networks',
  // Of networks that no other flood has used up.
  begin: (server) => (place) => greetedBy(server, stranger(400_000 + (place % 5)), COMPARISONS),
}

export const crumbs: Flood = {
  what: 'bodies in eleven thousand chunks',
  begin: (server) => ofStrangers(chunked(server, CRUMBS)),
}
