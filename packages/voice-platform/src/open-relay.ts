import type { Db } from '@heyline/database'
import type { Clock } from '@heyline/kit/clock'
import type { Logger } from 'pino'
import type { CallControl } from './calls/call-control.js'
import type { Carrier } from './carriers/carrier.js'
import type { RecordingDownloads } from './recording/recording-download.js'
import { HolderStore } from './relay/holder-store.js'
import { LostProcesses } from './relay/lost-processes.js'
import { Neighbours } from './relay/neighbours.js'
import type { Holder } from './relay/reach-process.js'
import type { Relay } from './relay/relay.js'
import { type ClientUpgrade, RoomRelay } from './relay/room-relay.js'
import { isCallId } from './resources/call-id.js'

/** Where one process sends another a control message that is too long for a notification. */
const CONTROL_PATH = '/control'
/** Where it asks the carrier of another one about a call, whose id follows. */
const CARRIER_PATH = '/carrier/'

export interface OpenRelayOptions {
  db: Db
  /** This process. */
  owner: string
  relay: Relay | undefined
  /** Ends the calls of a process that is gone. */
  endCallsOf(gone: string): Promise<void>
  clock: Clock
  logger: Logger
}

/** The other processes of the installation: what this one asks them, and what it answers. Without a relay it is alone, and asks nobody. */
export function openRelay({ db, owner, relay, endCallsOf, clock, logger }: OpenRelayOptions) {
  const holders = relay && new HolderStore(db, owner)
  const lost = new LostProcesses({ ...{ db, processId: owner, clock, logger }, endCalls: endCallsOf })
  const neighbours = relay && new Neighbours({ db, relay, clock, logger })
  const rooms = relay && neighbours && new RoomRelay({ relay, neighbours, lost, clock, logger })
  const askHolder = async (by: Relay, callId: string, question: string) => {
    try {
      const holder = isCallId(callId) ? await holders?.of(callId) : undefined
      return holder && (await by.post(holder, CARRIER_PATH + callId, question))
    } catch (error) {
      logger.warn({ callId, err: error }, 'the server that holds a call was not asked about it')
      return undefined
    }
  }
  return {
    holders,
    /** Asks the carrier of the process that holds a call about it. */
    askHolder: relay && ((callId: string, question: string) => askHolder(relay, callId, question)),
    /** Sends a control message to the process that holds a call. False: none does. */
    sendControl:
      relay &&
      (async (callId: string, payload: string) => {
        const holder = await holders?.of(callId)
        return holder !== undefined && (await relay.post(holder, CONTROL_PATH, payload)) !== undefined
      }),
    /** The way of a client to the holder of its room. */
    async elsewhere(asked: Promise<Holder | undefined>, upgrade: ClientUpgrade) {
      // A database that cannot be asked is the door's to explain.
      const holder = await asked.catch(() => undefined)
      return holder && (await rooms?.to(holder, upgrade))
    },
    /** From now on the others are answered. */
    answer(control: CallControl, carrier: Carrier, downloads: RecordingDownloads | undefined): void {
      if (downloads) relay?.onAsked((request) => downloads.fetch(request, { isRelayed: true }))
      relay?.onPosted(async (path, body) => {
        if (path === CONTROL_PATH) return control.take(body) ? '' : undefined
        return path.startsWith(CARRIER_PATH)
          ? carrier.answer?.(path.slice(CARRIER_PATH.length), body)
          : undefined
      })
    },
    async start(): Promise<void> {
      if (relay) await lost.start()
      await neighbours?.start()
    },
    async close(): Promise<void> {
      await neighbours?.close()
      await lost.close()
    },
  }
}
