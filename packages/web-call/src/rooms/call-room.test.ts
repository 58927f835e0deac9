import type {
  DailyAccessState,
  DailyCall,
  DailyFactoryOptions,
  DailyFatalErrorType,
  DailyMeetingState,
  DailyParticipantPermissions,
} from '@daily-co/daily-js'
import { FATAL_ERRORS, type FatalErrorKind } from '@heyline/room-protocol'
import { describe, expect, expectTypeOf, it } from 'vitest'
import type { CallRoom, CreateRoom, RoomState } from './call-room.js'
import { RoomError } from './room-error.js'
import type { RoomListener } from './room-events.js'
import type { AccessLevel, AccessState, RoomPermissions } from './room-permissions.js'

describe('the types of a call room', () => {
  it('take the call object of Daily as it stands', () => {
    expectTypeOf<DailyCall>().toExtend<CallRoom>()
    expectTypeOf<(url: string, options: DailyFactoryOptions) => DailyCall>().toExtend<CreateRoom>()
  })

  it('know the payload of each event', () => {
    type Message = Parameters<RoomListener<'app-message'>>[0]
    expectTypeOf<Message['data']>().toBeUnknown()
    expectTypeOf<Parameters<CallRoom['on']>[0]>().toBeString()
  })

  it('have the states of the specification, which are Daily’s', () => {
    type Specified = 'new' | 'joining-meeting' | 'joined-meeting' | 'left-meeting' | 'error'
    expectTypeOf<Specified>().toExtend<RoomState>()
    expectTypeOf<RoomState>().toEqualTypeOf<DailyMeetingState>()
  })

  it('have the three access levels', () => {
    expectTypeOf<AccessLevel>().toEqualTypeOf<'full' | 'lobby' | 'none'>()
    expectTypeOf<DailyAccessState>().toExtend<AccessState>()
    expectTypeOf<AccessState['access']>().toExtend<DailyAccessState['access']>()
  })

  it('have the four permissions', () => {
    expectTypeOf<keyof RoomPermissions>().toEqualTypeOf<
      'hasPresence' | 'canSend' | 'canReceive' | 'canAdmin'
    >()
    expectTypeOf<DailyParticipantPermissions>().toExtend<RoomPermissions>()
    expectTypeOf<RoomPermissions>().toExtend<DailyParticipantPermissions>()
  })

  it('have the ten kinds of a fatal error', () => {
    expectTypeOf<FatalErrorKind>().toEqualTypeOf<DailyFatalErrorType>()
    expect(Object.keys(FATAL_ERRORS)).toHaveLength(10)
  })
})

describe('a room error', () => {
  const kinds = Object.keys(FATAL_ERRORS) as FatalErrorKind[]

  it.each(kinds)('%s has a text of its own where the room gives none', (kind) => {
    const { code, message } = new RoomError(kind)
    expect(code).toBe(kind)
    expect(message).toMatch(/^[A-Z].{15,}\.$/)
    expect(kinds.filter((other) => new RoomError(other).message === message)).toEqual([kind])
  })

  it('keeps the text and the cause that a room gives', () => {
    const cause = { errorMsg: 'Meeting has ended' }
    expect(new RoomError('ejected', 'Meeting has ended', { cause })).toMatchObject({
      message: 'Meeting has ended',
      cause,
    })
  })
})
