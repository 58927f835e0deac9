import type { Db } from '@heyline/database'
import type { GateSettings } from '../../gate/gate-settings.js'
import type { CallDeskOptions } from '../../index.js'
import type { Ask, Heard } from '../gate-desk.js'

/** What an attacker can do, and what time does meanwhile. */
export interface Attacker {
  db: Db
  ask(asked: Ask): Promise<Heard>
  /** Sends any request to the webhook, and resolves with its status. */
  send(request: Request): Promise<number>
  /** Sends a message to the hook as the platform would, and resolves with its status. */
  hook(message: object, secret: string): Promise<number>
  /** Resolves when everything that was let pass has been dialled, with the platform's ids. */
  dialled(): Promise<string[]>
  /** All calls are over, after they were dialled. */
  hangUp(): Promise<void>
  /** Lets time pass. */
  wait(time: string): Promise<void>
}

/** One way to make the desk place calls that it should not. */
export interface Attack {
  name: string
  /** Changes to the default gate. */
  gate?: Partial<GateSettings>
  options?: Partial<CallDeskOptions>
  /** Days that it goes on for: the budget of a day is the ceiling of one, that of the month of all. */
  days?: number
  run(attacker: Attacker): Promise<void>
  /** So many calls reach the platform. */
  calls: number
}

/** Numbers of so many blocks of the United States. */
export const block = (place: number, line = 2671): string =>
  `+1${AREAS[place % AREAS.length]}${201 + place}${line}`
const AREAS = [212, 312, 415, 206, 303, 404, 512, 602, 617, 702, 713, 801]

/** An asker that shares nothing with another place's: number, page, address and network. */
export const stranger = (place: number): Required<Pick<Ask, 'phone' | 'slug' | 'address'>> => ({
  phone: block(place),
  slug: `page-${place}`,
  address: `10.${place >> 8}.${place & 255}.1`,
})

export const times = (count: number): number[] => Array.from({ length: count }, (_, place) => place)
