import type { DailyCall } from '@daily-co/daily-js'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { describeCallRoom } from '../call-room.contract.js'
import { type CallRoom, listenToRoom, type RoomOptions } from '../call-room.js'
import { BUNDLE_LIMITS, RoomOptionError } from '../options.js'
import { ScriptedDaily, TestTrack } from './daily-harness.js'
import { ROOM_CODE_URL } from './room-code.js'

const library = vi.hoisted(() => ({ offline: false, loads: 0 }))

vi.mock('@daily-co/daily-js', () => ScriptedDaily.load())
vi.mock('./daily-call.js', async (load) => {
  library.loads += 1
  if (library.offline) throw new TypeError('Failed to fetch dynamically imported module')
  return load()
})

const { createDailyRoom, loadDaily } = await import('./daily-room.js')

const URL = 'https://example.daily.co/room'
const JOIN = { url: URL, subscribeToTracksAutomatically: false }

// Daily tells the console of all that it refuses.
beforeAll(() => void vi.spyOn(console, 'error').mockImplementation(() => {}))

it('loads the library once, and again only when that failed', async () => {
  library.offline = true
  await expect(loadDaily()).rejects.toThrow()
  library.offline = false
  const code = await loadDaily()
  expect(await loadDaily()).toBe(code)
  expect(library.loads).toBe(2)
})

describeCallRoom('the Daily room', async (admission) => {
  const other = new ScriptedDaily(admission)
  const room = await createDailyRoom(URL)
  return { room, url: URL, other, close: () => other.close() }
})

describe('the Daily room', () => {
  let daily: ScriptedDaily
  let call: DailyCall
  let told: string[]

  beforeEach(async () => {
    vi.useFakeTimers()
    daily = new ScriptedDaily()
    const { createDailyCall } = await loadDaily()
    call = createDailyCall({ dailyConfig: { micAudioMode: 'speech' } })
    told = []
    for (const name of ['joined-meeting', 'left-meeting', 'error'] as const)
      call.on(name, () => void told.push(name))
  })

  afterEach(async () => {
    await call.destroy()
    await daily.close()
    vi.useRealTimers()
  })

  it('refuses options before it makes anything', async () => {
    const options = { userData: 'x'.repeat(5000) }
    await expect(createDailyRoom(URL, options)).rejects.toThrow(RoomOptionError)
    expect(Object.keys(daily.page._daily?.instances ?? {})).toHaveLength(1)
  })

  it.each(['junk', '', '/room', 'ftp://example.daily.co/room'])('refuses the address %j', async (url) => {
    await expect(createDailyRoom(url)).rejects.toMatchObject({ name: 'RoomError', code: 'no-room' })
    expect(Object.keys(daily.page._daily?.instances ?? {})).toHaveLength(1)
  })

  it('runs without eval, and keeps what else it is set to', async () => {
    await call.join(JOIN)
    expect(daily.page.scripts).toEqual([ROOM_CODE_URL])
    const joining = daily.asked.find(({ action }) => action === 'join-meeting')
    expect(joining?.properties).toMatchObject({ dailyConfig: { avoidEval: true, micAudioMode: 'speech' } })
  })

  it('refuses what a method does not take, and asks nothing of the room', async () => {
    await call.join(JOIN)
    daily.asked.length = 0
    const sessionId = 's'
    const refusals = [
      () => call.setUserData(() => {}),
      () =>
        call.updateInputSettings({
          video: { processor: { type: 'background-blur', config: { strength: 2 } } },
        }),
      () => call.startRemoteMediaPlayer({ url: 'https://a.example/', settings: { volume: 3 } }),
      () => call.updateRemoteMediaPlayer({ session_id: 's', settings: { volume: -1 } }),
      () => call.sipCallTransfer({ sessionId, toEndPoint: 'a@b.example' }),
      () => call.sipRefer({ sessionId, toEndPoint: '+12025550100' }),
      () => call.startDialOut({ phoneNumber: '+12025550100', userId: 'u'.repeat(37) }),
      () => call.sendDTMF({ sessionId, tones: '1'.repeat(21) }),
    ]
    for (const act of refusals) await expect(act()).rejects.toThrow(RoomOptionError)
    expect(() => call.setMeetingSessionData({ x: 'y'.repeat(102_400) })).toThrow(RoomOptionError)
    expect(() => call.setCustomIntegrations({ a: { label: '', location: 'main' } })).toThrow(RoomOptionError)
    const button = { iconPath: '', label: '', tooltip: '', visualState: 'open' }
    const { updateCustomTrayButtons }: { updateCustomTrayButtons(buttons: object): unknown } = call
    expect(() => updateCustomTrayButtons({ button })).toThrow(RoomOptionError)
    await Promise.resolve()
    expect(daily.asked).toEqual([])
  })

  it('refuses options at the join and whatever else takes them, and stays new', async () => {
    const options = { ...JOIN, userData: 1n }
    for (const act of [call.join, call.load, call.preAuth, call.startCamera])
      await expect(act(options)).rejects.toThrow(RoomOptionError)
    expect(call.meetingState()).toBe('new')
  })

  it('lets through what a method takes', async () => {
    await call.join(JOIN)
    await call.sendDTMF({ sessionId: 's', tones: '123#' })
    expect(daily.asked.at(-1)).toMatchObject({ action: 'send-dtmf', tones: '123#' })
    await expect(call.setUserData({ a: 1 })).resolves.toBeDefined()
  })

  it('fails to join, readably and without being left, when its code does not load in three attempts', async () => {
    daily.page.bundle = 'fails'
    const refused = expect(call.join(JOIN)).rejects.toMatchObject({
      name: 'RoomError',
      code: 'connection-error',
      message: expect.stringMatching(
        /^Failed to load call object bundle https:.* could not be loaded in 3 attempts/,
      ),
    })
    await vi.advanceTimersByTimeAsync(BUNDLE_LIMITS.retryDelayMs * 2 - 1)
    expect(daily.page.scripts).toHaveLength(BUNDLE_LIMITS.attempts - 1)
    expect(told).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    await refused
    expect(daily.page.scripts).toHaveLength(BUNDLE_LIMITS.attempts)
    expect(told).toEqual(['error'])
  })

  it('gives an attempt to load its code 20 seconds', async () => {
    daily.page.bundle = 'hangs'
    const refused = expect(call.join(JOIN)).rejects.toThrow('Timed out (>20000 ms)')
    await vi.advanceTimersByTimeAsync(BUNDLE_LIMITS.timeoutMs + BUNDLE_LIMITS.retryDelayMs - 1)
    expect(daily.page.scripts).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(daily.page.scripts).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(2 * BUNDLE_LIMITS.timeoutMs + BUNDLE_LIMITS.retryDelayMs)
    await refused
  })

  it.each(['hangs', 'fails'] as const)(
    'settles a join at once that is left while its code %s',
    async (bundle) => {
      daily.page.bundle = bundle
      const refused = expect(call.join(JOIN)).rejects.toThrow('left before it was joined')
      await vi.advanceTimersByTimeAsync(1)
      await call.leave()
      await refused
      await vi.advanceTimersByTimeAsync(60_000)
      expect(daily.page.scripts).toHaveLength(1)
      expect(told).toEqual(['left-meeting'])
    },
  )

  it.each([
    ['lobby', 'The room has a lobby, in which a call cannot wait.'],
    ['none', 'The room does not admit this participant.'],
  ] as const)('fails to join where it is let in with the access %s', async (level, message) => {
    daily.access = level
    await expect(call.join(JOIN)).rejects.toMatchObject({ name: 'RoomError', code: 'not-allowed', message })
  })

  it('leaves no listener behind when a join is settled', async () => {
    const on = vi.spyOn(call, 'on')
    const off = vi.spyOn(call, 'off')
    await call.join(JOIN)
    expect(on).toHaveBeenCalledOnce()
    expect(off.mock.calls).toEqual(on.mock.calls)
  })
})

describe('the microphone of a Daily room', () => {
  let daily: ScriptedDaily
  let room: CallRoom
  let told: [string, unknown][]
  const settled = () => new Promise((resolve) => setTimeout(resolve))

  async function join(options: RoomOptions = {}) {
    daily = new ScriptedDaily()
    daily.microphone = new TestTrack()
    room = await createDailyRoom(URL, options)
    told = []
    listenToRoom(room, {
      'microphone-changed': ({ action }) => void told.push([action, undefined]),
      'microphone-lost': ({ action, error }) => void told.push([action, Reflect.get(error, 'reason')]),
    })
    await room.join(JOIN)
    await settled()
    daily.asked.length = 0
  }
  const asked = () => daily.asked.map(({ action, state }) => [action, state])

  afterEach(async () => {
    await room.destroy()
    await daily.close()
    vi.useRealTimers()
  })

  it('is replaced by the default one when it is lost, and that is stopped with the call', async () => {
    await join()
    const another = new TestTrack()
    daily.page.microphones.push(another)
    daily.microphone?.lose()
    await vi.waitFor(() => expect(told).toEqual([['microphone-changed', undefined]]))
    expect(asked()).toEqual([['set-input-devices', undefined]])
    const next = new TestTrack()
    daily.page.microphones.push(next)
    another.lose()
    await vi.waitFor(() => expect(told).toHaveLength(2))
    expect(next.readyState).toBe('live')
    await room.leave()
    expect(next.readyState).toBe('ended')
  })

  it('stays muted', async () => {
    await join()
    room.setLocalAudio(false)
    daily.page.microphones.push(new TestTrack())
    daily.microphone?.lose()
    await vi.waitFor(() => expect(told).toHaveLength(1))
    expect(asked()).toEqual([
      ['local-audio', false],
      ['set-input-devices', undefined],
      ['local-audio', false],
    ])
  })

  it('is not replaced where the room has done so itself', async () => {
    await join()
    const lost = daily.microphone
    daily.page.microphones.push(new TestTrack())
    daily.microphone = new TestTrack()
    daily.tell('participant-updated', {
      participant: {
        session_id: 'local-session',
        user_name: 'again',
        local: true,
        tracks: { audio: { state: 'sendable' }, video: { state: 'off' } },
      },
    })
    await settled()
    lost?.lose()
    await settled()
    expect(told).toEqual([])
  })

  it('is told to be lost where there is no other', async () => {
    await join()
    vi.useFakeTimers()
    daily.microphone?.lose()
    await vi.advanceTimersByTimeAsync(2000)
    expect(told).toEqual([['microphone-lost', 'missing']])
  })

  it('is let go of when it comes after the end', async () => {
    await join()
    const late = new TestTrack()
    let give = () => {}
    daily.page.navigator.mediaDevices.getUserMedia = () =>
      new Promise((resolve) => {
        give = () => resolve({ getAudioTracks: () => [late] })
      })
    daily.microphone?.lose()
    await settled()
    await room.leave()
    give()
    await settled()
    expect([late.readyState, told, asked()]).toEqual(['ended', [], [['leave-meeting', undefined]]])
  })

  it.each([false, Object.create(TestTrack.prototype)])(
    'is left alone where it is %s',
    async (audioSource) => {
      await join({ audioSource })
      daily.page.microphones.push(new TestTrack())
      daily.microphone?.lose()
      await settled()
      expect(told).toEqual([])
    },
  )
})

it('tells a fatal error of the join as an error with its kind and its cause', async () => {
  const daily = new ScriptedDaily({ admit: false, kind: 'meeting-full' })
  const room: CallRoom = await createDailyRoom(URL)
  room.on('error', () => {})
  await expect(room.join(JOIN)).rejects.toMatchObject({
    name: 'RoomError',
    code: 'meeting-full',
    message: 'refused',
    cause: { action: 'error', error: { type: 'meeting-full' } },
  })
  await room.destroy()
  await daily.close()
})
