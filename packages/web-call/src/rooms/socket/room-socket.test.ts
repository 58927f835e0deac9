import { afterEach, expect, it, vi } from 'vitest'
import { RoomSocket } from './room-socket.js'
import { TRANSPORTS } from './transport.js'

afterEach(() => vi.unstubAllGlobals())

/** A browser's socket that a page's policy forbids: it errs, and never tells a close. */
class ForbiddenSocket {
  static last: ForbiddenSocket
  readonly readyState = 0
  onerror = () => {}
  onclose = (_event: { code: number; reason: string }) => {}
  constructor() {
    ForbiddenSocket.last = this
  }
  close() {}
}

it('takes an error for the end of the connection, told once, whether or not a close follows', () => {
  vi.stubGlobal('WebSocket', ForbiddenSocket)
  const ends: unknown[] = []
  new RoomSocket('ws://forbidden.example', TRANSPORTS['room.v1'], {
    onRoomMessage: () => {},
    onAppMessage: () => {},
    onAudio: () => {},
    onClosed: (error) => ends.push(error?.code),
  })
  ForbiddenSocket.last.onerror()
  expect(ends).toEqual(['connection-error'])
  ForbiddenSocket.last.onclose({ code: 1006, reason: '' })
  expect(ends).toEqual(['connection-error'])
})
