import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { TwilioStandIn } from '../../../../packages/voice-platform/src/testing/twilio-stand-in.js'
import { examine } from '../doctor/doctor.js'
import { findRunningServer } from '../running-server/server-file.js'
import { readSettings } from '../settings/settings.js'
import { type Heyline, startHeyline } from '../start/heyline.js'
import { runHeyline } from '../testing/heyline-command.js'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

const OURS = '+14155552671'
const VERIFIED = '+14155552673'
const directory = mkdtempSync(join(tmpdir(), 'heyline-caller-id-'))
const running: Heyline[] = []
let standIn: TwilioStandIn
beforeEach(async () => {
  standIn = new TwilioStandIn()
  await standIn.listen()
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((heyline) => heyline.close()))
  await standIn.close()
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const environment = (name: string, more: Record<string, string> = {}) => ({
  PORT: '0',
  DATA_DIR: join(directory, name),
  CARRIER: 'twilio',
  TWILIO_ACCOUNT_SID: standIn.accountSid,
  TWILIO_AUTH_TOKEN: standIn.authToken,
  TWILIO_API_URL: standIn.url,
  COMPANY_NAME: 'Acme',
  HUMAN_CHECK: 'off',
  CALL_HOURS: 'off',
  CALL_COUNTRIES: 'US',
  ...more,
})
async function start(name: string, more: Record<string, string> = {}): Promise<Heyline> {
  const heyline = await startHeyline({
    settings: readSettings(environment(name, more)),
    logger: pino({ level: 'silent' }),
  })
  running.push(heyline)
  return heyline
}
const stop = () => running.pop()?.close()

describe('a start with a real carrier', () => {
  it('is refused without a number to call from, and with one that the account does not have', async () => {
    await expect(start('none')).rejects.toMatchObject({
      setting: 'TWILIO_CALLER_ID',
      message: expect.stringContaining('no number to call from is stored'),
    })
    await expect(start('none', { TWILIO_CALLER_ID: '+14155552679' })).rejects.toMatchObject({
      setting: 'TWILIO_CALLER_ID',
      message: expect.not.stringContaining('555'),
    })
    expect(() => readSettings(environment('none', { TWILIO_CALLER_ID: '0415' }))).toThrow(/E\.164/)
  })

  it('is not held up for long by a Twilio that says nothing, and says so', async () => {
    standIn.intercept = () => true
    const began = performance.now()
    const { banner } = await start('silent', { TWILIO_CALLER_ID: OURS })
    expect(performance.now() - began).toBeLessThan(60_000)
    expect(banner).toContain('Twilio was not asked whether the account may call from the caller id')
  })

  it('stores the number, which is the default while the setting is there', async () => {
    const made = await start('stored', { TWILIO_CALLER_ID: OURS, CALL_COUNTRIES: 'US,DE' })
    expect(made.banner).not.toContain('Twilio was not asked')
    expect(made.banner).toContain('CALL_COUNTRIES: the Twilio account may not call DE')
    const numbers = (...words: string[]) => runHeyline(['numbers', ...words], environment('stored'))
    expect((await numbers('list')).out).toMatch(/^\+14155552671 {2}default {2}-/)
    expect((await numbers('add', '+1 415 555 2679')).err).toMatch(/neither a number of the Twilio account/)
    expect((await numbers('add', VERIFIED, '--name', 'Sales')).out).toBe(`${VERIFIED} is stored\n`)
    expect((await numbers('default', VERIFIED)).err).toMatch(/^heyline: TWILIO_CALLER_ID says which number/)
    await runHeyline(['visitors', 'add', 'acme', '--name', 'Acme'], environment('stored'))
    const update = (callerId: string) =>
      runHeyline(['visitors', 'update', 'acme', '--caller-id', callerId], environment('stored'))
    expect((await update('+14155552679')).err).toMatch(/There is no such number/)
    expect((await update(VERIFIED)).err).toBe(`heyline: acme is called from ${VERIFIED}\n`)
    expect((await numbers('list')).out).toMatch(/\n\+14155552673 {2}calls 1 visitor +Sales/)
    const of = async () => (await numbers('of', 'ACME')).out
    expect(await of()).toBe(`acme is called from ${VERIFIED}\n`)
    const called = await callMe(made.url)
    expect(called.status).toBe(202)
    expect(standIn.call.form.get('From')).toBe(VERIFIED)
    expect((await update('default')).code).toBe(0)
    expect(await of()).toBe('acme is called from the default number\n')
    await stop()
    // With none running, and without the setting: the default that was stored.
    expect((await numbers('default', VERIFIED)).out).toBe(
      `${VERIFIED} calls whoever has no number of their own\n`,
    )
    expect((await numbers('remove', OURS)).out).toBe(`${OURS} calls nobody any more\n`)
    expect((await numbers('remove', VERIFIED)).err).toMatch(/default caller id/)
    await start('stored')
    expect(JSON.parse((await numbers('list', '--json')).out)).toMatchObject([
      { number: VERIFIED, name: 'Sales', isDefault: true, visitors: 0 },
    ])
  })
})

const callMe = (url: string) =>
  fetch(`${url}/-/backend/functions/v1/call-me`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ phone: '+14155552690', slug: 'acme' }),
  })

it('a call that Twilio refuses at once is told to the page as failed, and to the operator in plain words', async () => {
  const { url } = await start('refused', { TWILIO_CALLER_ID: OURS })
  await runHeyline(['visitors', 'add', 'acme', '--name', 'Acme'], environment('refused'))
  let asked = 0
  standIn.intercept = (request, response) => {
    if (request.method !== 'POST' || !request.url?.endsWith('/Calls.json')) return false
    asked += 1
    response.writeHead(400, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify({ code: 21215, message: 'Account not authorized to call +14155552690.', status: 400 }),
    )
    return true
  }
  const said = await callMe(url)
  expect([said.status, (await said.json()).code]).toEqual([502, 'call_failed'])
  const [{ id }] = JSON.parse((await runHeyline(['calls', 'list', '--json'], environment('refused'))).out)
  const shown = async () => (await runHeyline(['calls', 'show', id], environment('refused'))).out
  await expect.poll(shown, { timeout: 30_000 }).toContain('Geo permissions in the console of Twilio')
  expect(await shown()).toContain("Twilio's error 21215")
  expect(asked).toBe(1)
})

describe('the doctor', () => {
  const told = async (name: string, more: Record<string, string>) =>
    (await examine(environment(name, more)))
      .filter(({ check }) => ['CARRIER', 'TWILIO_CALLER_ID', 'CALL_COUNTRIES'].includes(check))
      .map(({ check, status }) => [check, status])
      .sort()

  it('asks Twilio whether the account has the number and may call the countries', async () => {
    expect(await told('doctor', { TWILIO_CALLER_ID: OURS })).toEqual([
      ['CALL_COUNTRIES', 'ok'],
      ['CARRIER', 'ok'],
      ['TWILIO_CALLER_ID', 'ok'],
    ])
    expect(await told('doctor', { TWILIO_CALLER_ID: '+14155552679', CALL_COUNTRIES: 'US,DE' })).toEqual([
      ['CALL_COUNTRIES', 'fail'],
      ['CARRIER', 'ok'],
      ['TWILIO_CALLER_ID', 'fail'],
    ])
    expect(await told('doctor', {})).toContainEqual(['TWILIO_CALLER_ID', 'fail'])
  })

  it('asks for the stored number where none is set, with and without a running server', async () => {
    await start('asked', { TWILIO_CALLER_ID: VERIFIED })
    expect(await told('asked', {})).toContainEqual(['TWILIO_CALLER_ID', 'ok'])
    await stop()
    expect(await told('asked', {})).toContainEqual(['TWILIO_CALLER_ID', 'ok'])
    standIn.account.verified.splice(0)
    expect(await told('asked', {})).toContainEqual(['TWILIO_CALLER_ID', 'fail'])
  })

  it('says of each number whether calls to it come here, and a command sends them', async () => {
    standIn.account.bought.push({
      number: '+14155552675',
      voice: true,
      voiceUrl: 'https://other.example/x?key=1',
    })
    const settings = { TWILIO_CALLER_ID: OURS, PUBLIC_URL: 'http://localhost:9' }
    await start('inbound', settings)
    const numbers = (...words: string[]) =>
      runHeyline(['numbers', ...words], environment('inbound', settings))
    const ofCalls = async () =>
      (await examine(environment('inbound', settings)))
        .filter(({ check }) => check === 'phone numbers')
        .map(({ status, message }) => [status, message])
    expect(await ofCalls()).toEqual([['warn', `calls to ${OURS} are answered by nobody of yours`]])
    const nobody = '8f14e45f-ceea-467f-a8f0-3d2c1b5a9e01'
    expect((await numbers('inbound', OURS, '--assistant', nobody)).err).toContain('does not exist')
    expect(standIn.account.changes).toEqual([])
    const { platformPrivate } = JSON.parse((await runHeyline(['keys', '--json'], environment('inbound'))).out)
    const running = await findRunningServer(join(directory, 'inbound'))
    const made = await fetch(`${running?.url}/-/platform/assistant`, {
      method: 'POST',
      headers: { authorization: `Bearer ${platformPrivate}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Reception' }),
    })
    const { id } = await made.json()
    expect((await numbers('inbound', OURS, '--assistant', id)).out).toBe(
      `Calls to ${OURS} come here from now on\n`,
    )
    expect((await numbers('list')).out).toContain(`answered by ${id}`)
    const taken = await numbers('add', '+14155552675', '--inbound')
    expect(taken.err).toMatch(/\+14155552675 is stored\n.* go to other\.example now/)
    expect(taken.err).not.toContain('key=1')
    expect((await numbers('add', VERIFIED, '--inbound')).err).toContain(
      'Only calls to a number that was bought',
    )
    expect(await ofCalls()).toEqual([
      ['ok', `calls to ${OURS} reach this server`],
      ['ok', 'calls to +14155552675 go to other.example, not to this server'],
      ['ok', `calls to ${VERIFIED} never come through the account: it is no number bought there`],
    ])
    expect((await numbers('inbound', '+14155552675', '--overwrite')).code).toBe(0)
    expect((await numbers('inbound', OURS)).out).toBe(`Calls to ${OURS} came here before\n`)
    expect(standIn.account.changes.map(({ VoiceUrl }) => VoiceUrl)).toEqual(
      Array(2).fill('http://localhost:9/-/carriers/twilio/inbound'),
    )
  })

  it('knows an address that Twilio can not bring its calls to', async () => {
    const of = async (more: Record<string, string>) =>
      (await examine(environment('doctor', { TWILIO_API_URL: 'https://api.twilio.com', ...more })))
        .filter(({ check }) => check === 'PUBLIC_URL')
        .map(({ status }) => status)
    expect(await of({})).toEqual(['fail'])
    expect(await of({ PUBLIC_URL: 'http://demo.example' })).toEqual(['fail'])
    expect(await of({ PUBLIC_URL: 'https://demo.example' })).toEqual(['warn'])
  })
})
