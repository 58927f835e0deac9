import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { TwilioStandIn } from '../../testing/twilio-stand-in.js'
import { TwilioAccount } from './twilio-account.js'

const OURS = '+14155552671'
const HERE = 'https://demo.example/-/carriers/twilio/inbound'

let standIn: TwilioStandIn
beforeEach(async () => {
  standIn = new TwilioStandIn()
  await standIn.listen()
})
afterEach(() => standIn.close())

const account = (more: object = {}) =>
  new TwilioAccount({
    ...{ accountSid: standIn.accountSid, authToken: standIn.authToken, apiUrl: standIn.url },
    publicUrl: 'https://demo.example/',
    ...more,
  })
const number = () => {
  const [found] = standIn.account.bought
  if (!found) throw new Error('The account has no number.')
  return found
}

describe('calls to a number', () => {
  it('come here once that is said, and then it changes nothing', async () => {
    expect(await account().inbound(OURS)).toEqual({ to: 'nowhere' })
    expect(await account().receive(OURS, { overwrite: false })).toBe(true)
    expect(await account().inbound(OURS)).toEqual({ to: 'here' })
    expect(await account().receive(OURS, { overwrite: true })).toBe(false)
    expect(standIn.account.changes).toMatchObject([{ VoiceUrl: HERE, VoiceMethod: 'POST' }])
  })

  it('are not here where Twilio asks in a way that nobody answers', async () => {
    Object.assign(number(), { voiceUrl: HERE, voiceMethod: 'GET' })
    expect(await account().inbound(OURS)).toEqual({ to: 'nowhere' })
    expect(await account().receive(OURS, { overwrite: false })).toBe(true)
    expect(await account().inbound(OURS)).toEqual({ to: 'here' })
  })

  it.each([
    [
      'another address, of which the host alone is told',
      { voiceUrl: 'https://u:secret@other.example/x?key=1' },
      'other.example',
    ],
    [
      'where this server was before',
      { voiceUrl: 'https://old.example/-/carriers/twilio/inbound' },
      'old.example',
    ],
    ['a TwiML application', { voiceUrl: HERE, application: 'AP1' }, 'the TwiML application AP1'],
    ['a SIP trunk', { voiceUrl: HERE, trunk: 'TK1' }, 'the SIP trunk TK1'],
  ])('are left where they go: %s', async (_what, route, where) => {
    Object.assign(number(), route)
    expect(await account().inbound(OURS)).toEqual({
      to: 'elsewhere',
      where,
      isFormer: where === 'old.example',
    })
    await expect(account().receive(OURS, { overwrite: false })).rejects.toMatchObject({
      code: 'taken',
      message: expect.stringContaining(`go to ${where} now`),
    })
    expect(standIn.account.changes).toEqual([])
    expect(await account().receive(OURS, { overwrite: true })).toBe(true)
    expect(await account().inbound(OURS)).toEqual({ to: 'here' })
  })

  it('can not come here where the number was not bought, or nobody knows our address', async () => {
    const receive = (number: string, more = {}) => account(more).receive(number, { overwrite: true })
    await expect(receive('+14155552673')).rejects.toMatchObject({ code: 'not_bought' })
    await expect(receive(OURS, { publicUrl: undefined })).rejects.toMatchObject({ code: 'no_address' })
    const http = { publicUrl: 'http://localhost:3000', apiUrl: 'https://api.twilio.com' }
    await expect(receive(OURS, http)).rejects.toMatchObject({ code: 'no_address' })
    expect(standIn.account.changes).toEqual([])
  })

  it('are not said to come where Twilio did not say so', async () => {
    standIn.intercept = (request) => request.method === 'POST'
    await expect(account({ timeoutMs: 50 }).receive(OURS, { overwrite: true })).rejects.toMatchObject({
      code: 'unanswered',
    })
  })
})
