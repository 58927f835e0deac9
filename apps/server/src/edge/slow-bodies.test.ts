import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, it } from 'vitest'
import type { Connection } from './connection.js'
import { SlowBodies } from './slow-bodies.js'

const LOOK_MS = 500
const IMPORT = '/-/office/visitors/import'

/** A connection with one request, of whose body more comes while the test says so. */
class Sender implements Connection {
  readonly socket = new Socket()
  readonly answers = new Map<ServerResponse, () => void>()
  upgraded = false
  readonly #request = new IncomingMessage(this.socket)
  #sent = 0

  constructor(path: string) {
    this.#request.url = path
    Object.defineProperty(this.socket, 'bytesRead', { get: () => this.#sent })
    this.answers.set(new ServerResponse(this.#request), () => undefined)
  }

  send(bytes: number) {
    this.#sent += bytes
  }

  end() {
    this.#request.complete = true
  }
}

/** When the sender is cut, in ms; undefined where it is not. `each` runs before every look. */
function cutAt(sender: Sender, each: (ms: number) => void = () => undefined, forMs = 900_000) {
  const slow = new SlowBodies()
  for (let ms = 0; ms <= forMs; ms += LOOK_MS) {
    each(ms)
    if (slow.look([sender], LOOK_MS).length > 0) return ms
  }
  return undefined
}

it("cuts an operator's body of which nothing has come for thirty seconds", () => {
  expect(cutAt(new Sender(IMPORT))).toBe(30_000)
  const stopped = new Sender(IMPORT)
  expect(cutAt(stopped, (ms) => ms <= 45_000 && stopped.send(1_000))).toBe(75_000)
})

it("takes an operator's body that keeps coming over a bad line, for ten minutes at most", () => {
  const slow = new Sender(IMPORT)
  const now = (ms: number) => ms % 20_000 === 0 && slow.send(1_000)
  expect(cutAt(slow, now)).toBe(600_000)
  const done = new Sender(IMPORT)
  expect(cutAt(done, (ms) => (ms === 599_000 ? done.end() : ms % 20_000 === 0 && done.send(1_000)))).toBe(
    undefined,
  )
})

it('gives everybody else thirty seconds, however steadily it comes', () => {
  const steady = new Sender('/-/platform/call/web')
  expect(cutAt(steady, () => steady.send(10))).toBe(30_000)
})
