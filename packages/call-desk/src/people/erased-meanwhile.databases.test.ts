import type { Db } from '@heyline/database'
import { DATABASES, lockWaits } from '@heyline/database/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { GATE_LOCK } from '../gate/switches.js'
import type { CallDesk, CallDeskOptions } from '../index.js'
import { deskOf } from '../testing/desk.js'
import { ask, clearDesk, openGate } from '../testing/gate-desk.js'
import { type PlatformStandIn, startPlatformStandIn } from '../testing/platform-stand-in.js'
import { storeCall } from '../testing/stored-call.js'
import { mintRequest, openWebGate, reservedWeb } from '../testing/web-desk.js'
import { eraseFromDesk } from './erase-from-desk.js'
import type { Person } from './person.js'
import { findToldMessages } from './told-messages.js'

const ADA = { visitor: 'ADA' }
const NUMBER = '+14155552671'

describe.each(DATABASES)('a person who is erased after the lookup, on $name', ({ name, open }) => {
  let db: Db
  let platform: PlatformStandIn
  beforeAll(async () => {
    db = await open()
  })
  afterAll(() => db.close())
  beforeEach(async () => {
    await clearDesk(db)
    await db.exec('delete from timeline.events; delete from timeline.visitors')
    platform = await startPlatformStandIn()
  })
  afterEach(() => platform[Symbol.asyncDispose]())

  const erase = async (person: Person) => {
    const told = await findToldMessages(db, person)
    await db.transaction((tx) => eraseFromDesk(tx, person, told))
  }
  const deskWith = (changes: Partial<CallDeskOptions> = {}) =>
    deskOf(db, platform.url, { gate: openGate, webGate: openWebGate, ...changes })
  /** Its visitor is found, and the person is gone before anything is stored. */
  const deskThatErases = (person: Person = ADA) =>
    deskWith({
      findVisitor: async (slug) => {
        await erase(person)
        return { slug, system: 'You answer for Ada.' }
      },
    })
  /** The visitor was added once more, or never erased. */
  const deskThatFinds = () => deskWith({ findVisitor: async (slug) => ({ slug }) })

  async function expectNothingStored(): Promise<void> {
    for (const table of [
      'call_desk.call_requests',
      'call_desk.ledger',
      'timeline.events',
      'timeline.visitors',
    ])
      expect((await db.query(`select * from ${table}`)).rows, table).toEqual([])
    expect(platform.minted).toEqual([])
  }
  const minted = async (desk: CallDesk) => {
    const response = await desk.webCalls.mint(mintRequest({ slug: 'ada' }))
    return { ...(await response.json()), status: response.status }
  }

  it('is not stored with a request for a phone call, which is answered as for an unknown visitor', async () => {
    expect(await ask(deskThatErases(), { slug: 'ada' })).toMatchObject({
      status: 404,
      code: 'visitor_not_found',
    })
    await expectNothingStored()
    expect(await ask(deskThatFinds(), { slug: 'ada' })).toMatchObject({ status: 202 })
  })

  it('is not stored with a request to the number, which is refused', async () => {
    const desk = deskThatErases({ number: NUMBER })
    expect(await ask(desk, { phone: NUMBER })).toMatchObject({ status: 403, code: 'call_refused' })
    await expectNothingStored()
    expect(await ask(deskThatFinds(), { phone: NUMBER })).toMatchObject({ status: 202 })
  })

  it('is not called again by an operator', async () => {
    const id = await storeCall(db, { slug: 'ada', phone: NUMBER, state: 'ended' })
    const again = deskThatErases().again({
      id,
      key: 'one-press-of-the-button',
      address: undefined,
      actor: 'op',
    })
    await expect(again).rejects.toMatchObject({ code: 'visitor_gone' })
    expect((await db.query('select from call_desk.call_requests')).rowCount).toBe(0)
  })

  it('is not stored with a browser call, and the platform is not told of the prompt', async () => {
    expect(await minted(deskThatErases())).toMatchObject({ status: 404, code: 'visitor_not_found' })
    await expectNothingStored()
    expect(await minted(deskThatFinds())).toMatchObject({ status: 201 })
  })

  it('is nobody in a call that the page starts itself', async () => {
    await reservedWeb(deskThatErases(), { slug: 'ada' })
    const { rows } = await db.query('select slug from call_desk.call_requests')
    expect(rows).toEqual([{ slug: '' }])
  })

  // On PGlite all wait for each other's transactions as it is.
  if (name === 'Postgres') {
    it('leaves nothing in requests that wait for the gate meanwhile', async () => {
      let found = 0
      const desk = deskWith({
        findVisitor: async (slug) => {
          found += 1
          return { slug, system: 'You answer for Ada.' }
        },
      })
      const { asked, calls, erasing } = await db.transaction(async (tx) => {
        await tx.query(`select ${GATE_LOCK}`)
        const erasing = erase(ADA)
        await expect.poll(() => lockWaits(db)).toBe(1)
        const asked = Array.from({ length: 5 }, (_, place) =>
          ask(desk, { slug: 'ada', phone: `+1415${220 + place}2671` }),
        )
        const calls = [minted(desk), minted(desk)]
        await expect.poll(() => found).toBe(7)
        return { asked, calls, erasing }
      })
      await erasing
      for (const answer of await Promise.all([...asked, ...calls])) expect(answer.status).toBe(404)
      await expectNothingStored()
    })
  }
})

describe.each(DATABASES)(
  'a visitor who is erased once the gate let a browser call pass, on $name',
  ({ open }) => {
    it('is not told of to the platform', async () => {
      const db = await open()
      try {
        await using platform = await startPlatformStandIn()
        // A process that stood still is told that its call is stored once the row was given up and erased.
        await db.exec(`create function call_desk.test_gone() returns trigger language plpgsql as $$
          begin delete from call_desk.call_requests where id = new.id; return null; end $$;
        create constraint trigger test_gone after insert on call_desk.call_requests deferrable initially deferred
          for each row execute function call_desk.test_gone()`)
        const desk = deskOf(db, platform.url, {
          gate: openGate,
          webGate: openWebGate,
          findVisitor: async (slug) => ({ slug, system: 'You answer for Ada.' }),
        })
        expect((await desk.webCalls.mint(mintRequest({ slug: 'ada' }))).status).toBe(404)
        expect(platform.minted).toEqual([])
      } finally {
        await db.close()
      }
    })
  },
)
