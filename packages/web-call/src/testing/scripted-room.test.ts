import { type Admission, describeCallRoom, type RoomUnderTest } from '../rooms/call-room.contract.js'
import { ScriptedRoom } from './scripted-room.js'

describeCallRoom('the scripted room', async (admission: Admission): Promise<RoomUnderTest> => {
  const room = new ScriptedRoom({
    async join(self) {
      if (!admission.admit) self.fail(admission.kind, 'refused')
      else if (admission.listensAtOnce) self.hear('listening')
    },
  })
  const other = {
    listen: () => room.hear('listening'),
    say: (message: object) => room.hear(message),
    end: () => room.end(),
    fail: room.fail.bind(room),
    level: (level: number) => room.level(level),
    get heard() {
      return room.sent
    },
  }
  return { room, url: 'https://example.com/room', other, close: async () => {} }
})
