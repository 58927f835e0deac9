import type { Db } from '@heyline/database'
import { FairLine, type Place } from '@heyline/kit/fair-line'
import { type Leave, NoTurnError } from '@heyline/kit/waiting-line'
import { type Asker, placeOfAsker } from './asker.js'
import type { LookOptions } from './lookup-line.js'
import { LookupsAtOnce } from './lookups-at-once.js'
import { SlugMisses, type SlugMissesOptions } from './slug-misses.js'

type Look = () => Promise<{ isMiss: boolean }>

/** All clients behind a proxy that nobody has told us of may together miss so many times as often as one address. */
const PROXY_FACTOR = 20
/** So may all addresses of one network (/24, /48): whoever owns a /48 has 65,536 of them. */
const NETWORK_FACTOR = 10
/** What foreign pages miss counts for its network, or all behind its proxy, too, and is at most this part of that: the rest is for people. */
const FOREIGN_PART = 0.5
/** So many lookups of one address run at once, and so many of one network: whoever asks for pages in a flood waits behind himself. */
const AT_ONCE = { address: 4, network: 12, foreign: 6 }

/**
 * How many lookups may wait for our own database besides the ones whose turn is next, and how long each, in ms: for its address, for its
 * network, and for the others. Behind a proxy that nobody has told us of, all are one network.
 */
const IN_LINE = { waiting: { ofAddress: 4, ofNetwork: 1_000, networks: 5_000 }, longestMs: 3_000 }
/** When to ask again where no turn came, in ms. */
const RETRY_MS = 1_000

/** How many lookups may be in this database at once: six of ten connections, so that a flood leaves some to everything else. PGlite has one. */
export const lookupsInDatabase = (db: Pick<Db, 'pool'>): number =>
  Math.max(2, Math.floor((db.pool?.().most ?? 0) * 0.6))

export interface LookupTurnsOptions extends SlugMissesOptions {
  /**
   * So many reads are in our own database at once, and a third as many for pictures. Networks take turns: however many one asks for,
   * somebody from elsewhere waits for one of them. Undefined where the visitors are hosted elsewhere: no limit, as no connection is taken.
   */
  inDatabase?: number | undefined
}

export interface TurnOptions extends LookOptions {
  /** False: what waits for no misses, only where too many run. */
  isGuess?: boolean
  /** False: refused where it would wait for misses. */
  isPatient?: boolean
  /** It asks the database, and waits for no client meanwhile: takes its turn there. No page waits while a picture is drawn. */
  inLineOf?: 'reads' | 'pictures' | undefined
  /** It is refused because no turn came, and not for misses. */
  onNoTurn?: (() => void) | undefined
}

/** The turns of one kind of client: each an address, a network, or all behind one proxy. */
interface Turns {
  misses: SlugMisses
  /** No limit where it is left out. */
  atOnce?: LookupsAtOnce
}

/** When each lookup of a visitor may begin: `SlugMisses` and `LookupsAtOnce`, also for clients whose address is not known. */
export class LookupTurns {
  readonly #each: Turns
  readonly #together: Turns
  readonly #networks: Turns
  /** Foreign pages of a network, or behind one proxy. */
  readonly #foreign: { together: Turns; networks: Turns }
  readonly #lines: { reads: FairLine; pictures: FairLine } | undefined

  constructor({ limit, clock, inDatabase }: LookupTurnsOptions) {
    const missesOf = (factor: number) =>
      new SlugMisses({ limit: { ...limit, most: limit.most * factor }, ...(clock && { clock }) })
    this.#each = { misses: missesOf(1), atOnce: new LookupsAtOnce(AT_ONCE.address) }
    this.#together = { misses: missesOf(PROXY_FACTOR) }
    this.#networks = { misses: missesOf(NETWORK_FACTOR), atOnce: new LookupsAtOnce(AT_ONCE.network) }
    this.#foreign = {
      together: { misses: missesOf(PROXY_FACTOR * FOREIGN_PART) },
      networks: {
        misses: missesOf(NETWORK_FACTOR * FOREIGN_PART),
        atOnce: new LookupsAtOnce(AT_ONCE.foreign),
      },
    }
    if (inDatabase !== undefined)
      this.#lines = {
        reads: new FairLine({ atOnce: inDatabase, ...IN_LINE }),
        pictures: new FairLine({ atOnce: Math.ceil(inDatabase / 3), ...IN_LINE }),
      }
  }

  /**
   * Runs a lookup in the asker's turn. Resolves with the time after which to ask again, in ms, where too many lookups wait already. As a
   * stranger can say himself what an unknown proxy says of its clients, each time something else, all of them together have a limit too,
   * and so have the addresses of one network. Rejects when the signal is aborted while it waits. A place goes back when the work has ended.
   */
  async look(
    asker: Asker,
    look: Look,
    { signal, isGuess = true, isPatient, inLineOf, unfinished, onNoTurn }: TurnOptions = {},
  ): Promise<number | undefined> {
    const inTurn = async ({ misses, atOnce }: Turns, whose: string, seen: Look) => {
      const run = () => (atOnce ? atOnce.run(whose, seen, { signal, unfinished }) : seen())
      if (!isGuess) {
        await run()
        return undefined
      }
      const looked = await misses.look(whose, async () => ({ found: undefined, ...(await run()) }), {
        signal,
        isPatient,
      })
      return 'found' in looked ? undefined : looked.retryAfterMs
    }
    const { address, told, isForeign } = asker
    const place = placeOfAsker(asker)
    let refused: number | undefined
    let noTurn: number | undefined
    const among = async () => {
      let isMiss = false
      const seen = async () => {
        const line = inLineOf && this.#lines?.[inLineOf]
        const leave = line ? await enter(line, place, signal) : noLine
        if (!leave) {
          noTurn = RETRY_MS
          onNoTurn?.()
          return { isMiss: false }
        }
        try {
          const looked = await look()
          isMiss = looked.isMiss
          return looked
        } finally {
          const goesOn = unfinished?.()
          if (goesOn) void goesOn.then(leave)
          else leave()
        }
      }
      const all = told === undefined ? this.#networks : this.#together
      const whose = told === undefined ? place.network : address
      const withAll = async () => {
        refused = await inTurn(all, whose, seen)
        return { isMiss }
      }
      if (!isForeign) return await withAll()
      const ofForeign = told === undefined ? this.#foreign.networks : this.#foreign.together
      refused = (await inTurn(ofForeign, whose, withAll)) ?? refused
      return { isMiss }
    }
    return (await inTurn(this.#each, place.address, among)) ?? refused ?? noTurn
  }
}

const noLine = () => {}

/** A place in our own database; undefined where none came in time. */
async function enter(
  line: FairLine,
  place: Place,
  signal: AbortSignal | undefined,
): Promise<Leave | undefined> {
  const leave = await line.enter(place).catch((error: unknown) => {
    if (!(error instanceof NoTurnError)) throw error
    return undefined
  })
  if (!leave || !signal?.aborted) return leave
  leave()
  throw signal.reason
}
