import type { Db } from '@heyline/database'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TwilioAccount } from '../carriers/twilio/twilio-account.js'
import { type PlatformBench, startPlatform } from '../testing/platform-bench.js'
import { openPlatformDb, PLATFORM_DBS } from '../testing/platform-db.js'
import { TwilioStandIn } from '../testing/twilio-stand-in.js'

const OURS = '+14155552671'
const VERIFIED = '+14155552673'

describe.each(PLATFORM_DBS)('phone numbers on %s', (kind) => {
  let db: Db
  let bench: PlatformBench
  const standIn = new TwilioStandIn()
  const twilio = () => ({ twilioAccountSid: standIn.accountSid, twilioAuthToken: standIn.authToken })
  const account = () => new TwilioAccount(twilioOf(standIn))
  beforeAll(async () => {
    await standIn.listen()
    db = await openPlatformDb(kind)
    bench = await startPlatform(db, { numberAccount: account() })
  })
  afterAll(async () => {
    await bench.close()
    await db.close()
    await standIn.close()
  })
  const missing = crypto.randomUUID()
  const refused = async (path: string, body: object, method = 'POST') => {
    const response = await bench.request(method, path, body)
    return [response.status, (await response.json()).message]
  }

  it('are created, listed, read, changed and deleted', async () => {
    const { phoneNumbers, assistants } = bench.client
    const { id: assistantId } = await assistants.create({})
    const made = await phoneNumbers.create({
      provider: 'twilio',
      number: OURS,
      ...twilio(),
      name: 'Sales',
      assistantId,
    })
    expect(made).toMatchObject({
      provider: 'twilio',
      number: OURS,
      name: 'Sales',
      assistantId,
      status: 'active',
    })
    expect(await phoneNumbers.get(made.id)).toEqual(made)
    expect(await phoneNumbers.list()).toEqual([made])
    expect((await phoneNumbers.listPage()).results).toEqual([made])
    const changed = await phoneNumbers.update(made.id, { provider: 'twilio', name: 'Support' })
    expect(changed).toEqual({ ...made, name: 'Support', updatedAt: changed.updatedAt })
    const bare = await (
      await bench.request('PATCH', `/phone-number/${made.id}`, { assistantId: null })
    ).json()
    expect(bare).not.toHaveProperty('assistantId')
    expect(await phoneNumbers.delete(made.id)).toMatchObject({ id: made.id, name: 'Support' })
    await expect(phoneNumbers.get(made.id)).rejects.toMatchObject({ status: 404 })
  })

  it('are imported from the account, bought or verified, and no secret is kept or told', async () => {
    const made = await bench.client.phoneNumbers.importTwilio({ twilioPhoneNumber: VERIFIED, ...twilio() })
    const { rows } = await db.query<{ row: string }>(
      'select n::text as row from voice_platform.phone_numbers n',
    )
    for (const text of [JSON.stringify(made), ...rows.map(({ row }) => row)])
      expect(text).not.toContain(standIn.authToken)
    expect(made).toMatchObject({ number: VERIFIED, twilioAccountSid: standIn.accountSid })
    await bench.client.phoneNumbers.delete(made.id)
  })

  it.each([
    ['a number of somebody else', '+14155552679'],
    ['a number for texts alone', '+14155552672'],
  ])('refuse %s', async (_what, twilioPhoneNumber) => {
    expect(await refused('/phone-number/import/twilio', { twilioPhoneNumber, ...twilio() })).toEqual([
      400,
      expect.stringContaining('neither a number of the Twilio account'),
    ])
  })

  it('refuse what the account does not take, and what is of another account', async () => {
    const body = { twilioPhoneNumber: OURS, ...twilio() }
    const path = '/phone-number/import/twilio'
    expect(await refused(path, { ...body, twilioAuthToken: 'wrong' })).toEqual([
      400,
      'Twilio does not take these credentials for the account.',
    ])
    expect(await refused(path, { ...body, twilioAccountSid: 'AC2' })).toEqual([
      422,
      expect.stringContaining('TWILIO_ACCOUNT_SID'),
    ])
    expect(await refused(path, { ...body, assistantId: missing })).toEqual([
      400,
      `Assistant ${missing} does not exist.`,
    ])
    for (const [setting, title] of [
      ['squadId', 'Squad'],
      ['workflowId', 'Workflow'],
    ] as const)
      expect(await refused(path, { ...body, [setting]: missing })).toEqual([
        400,
        `${title} ${missing} does not exist.`,
      ])
    expect(await refused(path, { ...body, twilioPhoneNumber: '0415' })).toEqual([
      400,
      [expect.stringContaining('E.164')],
    ])
  })

  it('say what is not served', async () => {
    const body = { twilioPhoneNumber: OURS, ...twilio() }
    for (const setting of ['fallbackDestination', 'hooks', 'smsEnabled'])
      expect(await refused('/phone-number/import/twilio', { ...body, [setting]: 'x' }), setting).toEqual([
        422,
        expect.stringContaining('built-in voice platform'),
      ])
    for (const provider of ['byo-phone-number', 'vonage', 'telnyx', 'vapi'])
      expect(await refused('/phone-number', { provider, number: OURS }), provider).toEqual([
        422,
        expect.stringContaining('provider twilio'),
      ])
    expect(await refused('/phone-number/import/vonage', {})).toEqual([
      422,
      expect.stringContaining("Vonage's Voice API"),
    ])
  })

  it('are stored once, and the default calls where none is named', async () => {
    const { phoneNumbers } = bench.client
    const made = await bench.platform.numbers.makeDefault(OURS)
    expect(await bench.platform.numberStore.default()).toEqual(made)
    expect(await refused('/phone-number/import/twilio', { twilioPhoneNumber: OURS, ...twilio() })).toEqual([
      400,
      expect.stringContaining('stored already'),
    ])
    const call = await bench.client.calls.create({ assistant: {}, customer: { number: '+12025550101' } })
    expect(call).toMatchObject({ phoneNumberId: made.id })
    await expect(phoneNumbers.delete(made.id)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('default'),
    })
  })

  it('that are removed call no visitor any more', async () => {
    const made = await bench.client.phoneNumbers.importTwilio({ twilioPhoneNumber: VERIFIED, ...twilio() })
    await db.query("insert into call_desk.caller_ids (slug, phone_number_id) values ('acme', $1)", [made.id])
    await bench.client.phoneNumbers.delete(made.id)
    expect((await db.query('select * from call_desk.caller_ids')).rows).toEqual([])
  })

  it('that are not there answer 404', async () => {
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const body = method === 'PATCH' ? {} : undefined
      const response = await bench.request(method, `/phone-number/${missing}`, body)
      expect(response.status, method).toBe(404)
    }
  })

  it('are given only with the private key', async () => {
    const response = await bench.request('GET', '/phone-number', undefined, 'nobody')
    expect(response.status).toBe(401)
  })

  it('answer 503, within a time, where Twilio says nothing', async () => {
    standIn.intercept = (_request, response) => {
      response.writeHead(500).end()
      return true
    }
    expect(
      await refused('/phone-number/import/twilio', { twilioPhoneNumber: VERIFIED, ...twilio() }),
    ).toEqual([503, expect.stringContaining('Nothing was stored')])
    standIn.intercept = () => true
    const silent = new TwilioAccount({ ...twilioOf(standIn), timeoutMs: 50 })
    await expect(silent.find(OURS)).rejects.toMatchObject({ code: 'unanswered' })
    standIn.intercept = () => false
  })
})

it('take any number where there is no account, but import none', async () => {
  const db = await openPlatformDb()
  const bench = await startPlatform(db)
  expect(await bench.platform.numbers.add({ number: '+12025550177', name: 'Sales' })).toMatchObject({
    provider: 'vapi',
    number: '+12025550177',
  })
  const response = await bench.request('POST', '/phone-number', {
    provider: 'twilio',
    number: OURS,
    twilioAccountSid: 'AC1',
  })
  expect(response.status).toBe(422)
  await bench.close()
  await db.close()
})

const twilioOf = ({ accountSid, authToken, url }: TwilioStandIn) => ({ accountSid, authToken, apiUrl: url })
