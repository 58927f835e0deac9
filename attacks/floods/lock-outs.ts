import { setTimeout as delay } from 'node:timers/promises'
import { CALL_ME, CHECKED, callMe, followed, idOf, MISTYPED, uncheckedCall } from '../aims/lock-outs.js'
import { stranger, times } from '../attack.js'
import type { AttackedServer } from '../attacked-server.js'
import type { Flood } from '../flood.js'

/** Sixteen addresses, which no other flood has used. */
const ofFourNetworks = (place: number): string =>
  stranger(500_000 + (place % 4)).replace(/1$/, String(1 + ((place >> 2) % 4)))

const PAGES = times(30).map((place) => `page-${place}`)
/** A stream that goes on is left after so long. */
const FOLLOWED_MS = 1_000

/** The id of a call to this number, which is under way. */
async function callUnderWay(server: AttackedServer, from: string, phone: string): Promise<string> {
  const id = await idOf(await callMe(server, from, phone))
  if (typeof id !== 'string') throw new Error('The attacker’s own call was refused')
  return id
}

export const withoutChecks: Flood = {
  what: 'requests without a human check',
  settings: CHECKED,
  begin: (server) => async (place) => (await uncheckedCall(server, place)).text(),
}

export const mistyped: Flood = {
  what: 'mistyped and foreign numbers from one address',
  begin: (server) => async (place) => {
    const phone = MISTYPED[place % MISTYPED.length] ?? ''
    await (await callMe(server, stranger(1), phone)).text()
  },
}

export const inFlight: Flood = {
  what: 'a number in flight, from three other pages',
  prepare: (target) => target.addVisitors(PAGES.slice(0, 3).map((slug) => ({ slug, name: 'Ann' }))),
  async begin(server) {
    const phone = '+16045552671'
    await callUnderWay(server, stranger(100_000), phone)
    return async (place) =>
      (await callMe(server, stranger(2 + (place % 3)), phone, {}, PAGES[place % 3])).text()
  },
}

/**
 * Of sixteen addresses in four networks. All numbers are of two blocks, of which the gate takes three each: about as many as begin in a minute
 * by default. What all may begin stands open here, for the honest; so the gate counts all rows there are, where by default it stops at the
 * limit, and the server is a fresh one.
 */
export const simulatedCalls: Flood = {
  what: 'simulated calls, of 27 pages and four networks',
  settings: {},
  prepare: (target) => target.addVisitors(PAGES.slice(3).map((slug) => ({ slug, name: 'Ann' }))),
  begin: (server) => async (place) => {
    const phone = `+1604${300 + (place % 2)}${1_000 + (place % 9_000)}`
    await (await callMe(server, ofFourNetworks(place), phone, {}, PAGES[3 + (place % 27)])).text()
  },
}

export const followers: Flood = {
  what: 'streams of unknown calls, and of the attacker’s own',
  async begin(server) {
    const own = await callUnderWay(server, stranger(200_000), '+16045562671')
    return async (place) => {
      const leaving = new AbortController()
      const id = place % 2 === 0 ? own : crypto.randomUUID()
      const answer = await followed(server, stranger(place % 20), id, leaving.signal)
      if (answer.ok) await delay(FOLLOWED_MS)
      leaving.abort()
    }
  },
}

export const foreignPages: Flood = {
  what: 'requests of a foreign page',
  begin: (server) => (place) =>
    server.status(stranger(place), CALL_ME, {
      headers: { origin: 'https://evil.example' },
      body: { phone: '+14155552671', slug: 'default' },
    }),
}
