import type { FatalErrorKind } from '@heyline/room-protocol'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type CallRoom, type JoinOptions, listenToRoom } from './call-room.js'
import { RoomOptionError } from './options.js'
import type { RoomEventName, RoomEvents } from './room-events.js'

/** The other side of a room under test, in the test's hands. */
export interface OtherSide {
  listen(): void
  say(message: object): void
  /** Ends the call in the regular way. */
  end(): void
  /** Fails for good, with the room joined. */
  fail(kind: FatalErrorKind, text: string): void
  /** Is this loud. */
  level(level: number): void
  /** The texts that came from the room. */
  readonly heard: unknown[]
}

export interface RoomUnderTest {
  room: CallRoom
  url: string
  other: OtherSide
  close(): Promise<void>
}

/** What the other side does when the room joins. */
export type Admission = { admit: true; listensAtOnce?: boolean } | { admit: false; kind: FatalErrorKind }

interface Told {
  name: RoomEventName
  event: RoomEvents[RoomEventName]
}

/** What every call room does, whatever carries it. */
export function describeCallRoom(name: string, open: (admission: Admission) => Promise<RoomUnderTest>): void {
  describe(`${name} as a call room`, () => {
    let opened: RoomUnderTest
    let told: Told[]

    async function start(admission: Admission = { admit: true }): Promise<void> {
      opened = await open(admission)
      told = []
      const note = <Name extends RoomEventName>(name: Name) => ({
        [name]: (event: RoomEvents[Name]) => void told.push({ name, event }),
      })
      listenToRoom(opened.room, {
        ...note('joined-meeting'),
        ...note('left-meeting'),
        ...note('error'),
        ...note('app-message'),
        ...note('remote-participants-audio-level'),
      })
    }

    const join = () => opened.room.join(joinOptions(opened.url))
    const names = () => told.map(({ name }) => name)
    const data = () => told.flatMap(({ event }) => ('data' in event ? [event.data] : []))

    beforeEach(() => start())
    afterEach(async () => {
      await opened.room.destroy()
      await opened.close()
    })

    it('is new, then joined, and tells so', async () => {
      const { room } = opened
      expect(room.meetingState()).toBe('new')
      expect(room.accessState()).toEqual({ access: 'unknown' })
      const joining = join()
      expect(['loading', 'joining-meeting']).toContain(room.meetingState())
      await joining
      expect(room.meetingState()).toBe('joined-meeting')
      expect(room.accessState()).toEqual({ access: { level: 'full' } })
      expect(names()).toEqual(['joined-meeting'])
    })

    it('shows the person and the assistant once it is joined', async () => {
      expect(Object.values(opened.room.participants()).filter(({ local }) => !local)).toEqual([])
      await join()
      const participants = Object.values(opened.room.participants())
      expect(participants.map(({ local, user_name }) => [local, user_name])).toEqual([
        [true, ''],
        [false, 'Vapi Speaker'],
      ])
    })

    it('hands on what the assistant says: the literal, and JSON text', async () => {
      await join()
      opened.other.listen()
      opened.other.say({ type: 'transcript', transcript: 'Hello' })
      await vi.waitFor(() => expect(data()).toHaveLength(2))
      expect(data()[0]).toBe('listening')
      expect(JSON.parse(String(data()[1]))).toEqual({ type: 'transcript', transcript: 'Hello' })
    })

    it('hands on what the assistant says during the join', async () => {
      await opened.close()
      await start({ admit: true, listensAtOnce: true })
      await join()
      await vi.waitFor(() => expect(data()).toEqual(['listening']))
    })

    it('carries messages to the assistant, once it is joined', async () => {
      const text = JSON.stringify({ type: 'say', message: 'Bye' })
      expect(() => opened.room.sendAppMessage(text)).toThrow(/once the room is joined|after join/)
      await join()
      opened.room.sendAppMessage(text)
      await vi.waitFor(() => expect(opened.other.heard).toContain(text))
    })

    it('turns the microphone off and on', async () => {
      await join()
      expect(opened.room.localAudio()).toBe(true)
      opened.room.setLocalAudio(false)
      await vi.waitFor(() => expect(opened.room.localAudio()).toBe(false))
      opened.room.setLocalAudio(true)
      await vi.waitFor(() => expect(opened.room.localAudio()).toBe(true))
    })

    it('reports levels when it is asked to', async () => {
      await join()
      await opened.room.startRemoteParticipantsAudioLevelObserver(100)
      opened.other.level(0.25)
      await vi.waitFor(() => expect(names()).toContain('remote-participants-audio-level'))
      const levels = told.flatMap(({ event }) =>
        'participantsAudioLevel' in event ? Object.values(event.participantsAudioLevel) : [],
      )
      expect(levels).toEqual([0.25])
    })

    it('takes the setting for noise cancellation', async () => {
      await join()
      const set = (type: 'noise-cancellation' | 'none') =>
        opened.room.updateInputSettings({ audio: { processor: { type } } })
      await expect(set('noise-cancellation')).resolves.not.toThrow()
      await expect(set('none')).resolves.not.toThrow()
    })

    it('leaves once', async () => {
      await join()
      await opened.room.leave()
      await opened.room.leave()
      expect(opened.room.meetingState()).toBe('left-meeting')
      expect(names()).toEqual(['joined-meeting', 'left-meeting'])
    })

    it('tells when the other side ends', async () => {
      await join()
      opened.other.end()
      await vi.waitFor(() => expect(names()).toContain('left-meeting'))
      expect(names()).toEqual(['joined-meeting', 'left-meeting'])
    })

    it('tells a fatal error with its kind, and then that it is left', async () => {
      await join()
      opened.other.fail('exp-room', 'The room is too old')
      await vi.waitFor(() => expect(names()).toContain('left-meeting'))
      expect(names()).toEqual(['joined-meeting', 'error', 'left-meeting'])
      expect(told[1]?.event).toMatchObject({
        errorMsg: 'The room is too old',
        error: { type: 'exp-room', msg: 'The room is too old' },
      })
      expect(opened.room.meetingState()).toBe('error')
    })

    it('rejects the join of a room that does not admit it, and is not left then', async () => {
      await opened.close()
      await start({ admit: false, kind: 'no-room' })
      await expect(join()).rejects.toThrow()
      expect(names()).toEqual(['error'])
      expect(told[0]?.event).toMatchObject({ error: { type: 'no-room' } })
    })

    it('refuses options that no room takes before it joins with them', async () => {
      const options = { ...joinOptions(opened.url), userData: 'x'.repeat(4097) }
      await expect(opened.room.join(options)).rejects.toThrow(RoomOptionError)
      expect(opened.room.meetingState()).toBe('new')
    })

    it('settles a join that is left meanwhile', async () => {
      const refused = expect(join()).rejects.toThrow('left before it was joined')
      await opened.room.leave()
      await refused
      expect(names()).not.toContain('joined-meeting')
    })

    it('tells nothing to a listener that was taken off', async () => {
      const listener = vi.fn()
      const stop = listenToRoom(opened.room, { 'app-message': listener })
      stop()
      await join()
      opened.other.listen()
      await vi.waitFor(() => expect(data()).toEqual(['listening']))
      expect(listener).not.toHaveBeenCalled()
    })
  })
}

const joinOptions = (url: string): JoinOptions => ({ url, subscribeToTracksAutomatically: false })
