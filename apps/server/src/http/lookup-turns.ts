import { placeOf } from '@heyline/call-desk'
import type { LookOptions } from './lookup-line.js'
import { LookupsAtOnce } from './lookups-at-once.js'
import { SlugMisses, type SlugMissesOptions } from './slug-misses.js'

/** Who asks for a visitor. */
export interface Asker {
  /** Of the client, or of a proxy that nobody has told us of. */
  address: string
  /** What such a proxy, or whoever pretends to be behind one, says of the client. */
  told?: string | undefined
}

type Look = () => Promise<{ isMiss: boolean }>

/** All clients behind such a proxy together may miss so many times as often as one address. */
const PROXY_FACTOR = 20
/** So may all addresses of one network (/24, /48): whoever owns a /48 has 65,536 of them. */
const NETWORK_FACTOR = 10
/** So many lookups of one address run at once, and so many of one network: whoever asks for pages in a flood waits behind himself. */
const AT_ONCE = { address: 4, network: 12 }

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

  constructor({ limit, clock }: SlugMissesOptions) {
    const missesOf = (factor: number) =>
      new SlugMisses({ limit: { ...limit, most: limit.most * factor }, ...(clock && { clock }) })
    this.#each = { misses: missesOf(1), atOnce: new LookupsAtOnce(AT_ONCE.address) }
    this.#together = { misses: missesOf(PROXY_FACTOR) }
    this.#networks = { misses: missesOf(NETWORK_FACTOR), atOnce: new LookupsAtOnce(AT_ONCE.network) }
  }

  /**
   * Runs a lookup in the asker's turn. Resolves with the time after which to ask again, in ms, where too many lookups wait already. Clients of
   * an unknown proxy are told apart by what it says of them. As a stranger can say that himself, each time something else, all of them
   * together have a limit too, and so have the addresses of one network. Rejects when the signal is aborted while it waits.
   * What guesses nothing waits for no misses: only where too many run. What is not patient is refused where it would wait for misses. A place
   * goes back when the work has ended.
   */
  async look(
    { address, told }: Asker,
    look: Look,
    {
      signal,
      isGuess = true,
      isPatient,
      unfinished,
    }: LookOptions & { isGuess?: boolean; isPatient?: boolean } = {},
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
    const client = placeOf(address)
    let refused: number | undefined
    const among = async () => {
      let isMiss = false
      const seen = async () => {
        const looked = await look()
        isMiss = looked.isMiss
        return looked
      }
      refused =
        told === undefined
          ? await inTurn(this.#networks, client.network, seen)
          : await inTurn(this.#together, address, seen)
      return { isMiss }
    }
    // Not the key of a client that comes by itself: nobody may speak for another one.
    const whose = told === undefined ? client.address : `${address} ${told}`
    return (await inTurn(this.#each, whose, among)) ?? refused
  }
}
