import type { DailyCall } from '@daily-co/daily-js'
import { expectTypeOf, it } from 'vitest'
import type { CallRoom } from './call-room.js'
import type { RoomListener } from './room-events.js'

it('takes the call object of Daily as it stands', () => {
  expectTypeOf<DailyCall>().toExtend<CallRoom>()
})

it('knows the payload of each event', () => {
  type Message = Parameters<RoomListener<'app-message'>>[0]
  expectTypeOf<Message['data']>().toBeUnknown()
  expectTypeOf<Parameters<CallRoom['on']>[0]>().toBeString()
})
