import { Socket } from 'node:net'
import { expect, it } from 'vitest'
import type { Connection } from './connection.js'
import { SilentSockets } from './silent-sockets.js'

const LOOK_MS = 500

/** When a client is cut, in ms, that says something every so often. */
function cutAt(everyMs: number, upgraded = true) {
  const socket = new Socket()
  let heard = 0
  Object.defineProperty(socket, 'bytesRead', { get: () => heard })
  const connection: Connection = { socket, answers: new Map(), upgraded }
  const silent = new SilentSockets()
  for (let ms = 0; ms <= 600_000; ms += LOOK_MS) {
    if (ms % everyMs === 0) heard += 6
    if (silent.look([connection], LOOK_MS).includes(connection)) return ms
  }
  return undefined
}

it('finds a WebSocket that has said nothing for ninety seconds', () => {
  expect(cutAt(Number.POSITIVE_INFINITY)).toBe(90_000)
})

it('leaves those alone that answer a ping now and then', () => {
  expect(cutAt(60_000)).toBeUndefined()
})

it('leaves requests alone: a page that follows its call says nothing either', () => {
  expect(cutAt(Number.POSITIVE_INFINITY, false)).toBeUndefined()
})
