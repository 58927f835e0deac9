import { ManualClock } from '@heyline/kit/manual-clock'
import { describe, expect, it } from 'vitest'
import type { SessionMessage } from '../session/session.js'
import { RunningRecord } from './running-record.js'

const turn = () => new Promise((resolve) => setImmediate(resolve))

function setUp() {
  const clock = new ManualClock()
  const said: SessionMessage[] = []
  const written: string[][] = []
  const failures: unknown[] = []
  const state = { isDown: false }
  const record = new RunningRecord({
    messages: () => [...said],
    async write({ lines }) {
      if (state.isDown) throw new Error('away')
      written.push(lines.map(({ message }) => message))
    },
    onFailed: (error) => failures.push(error),
    clock,
  })
  const say = (message: string) =>
    said.push({ role: 'user', message, time: clock.now(), secondsFromStart: 0 })
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 100) {
      clock.advance(100)
      await turn()
    }
  }
  return { clock, record, written, failures, state, say, pass }
}

describe('the record of a conversation that goes on', () => {
  it('is written a second after something was said, and not again until something else is', async () => {
    const { written, say, pass } = setUp()
    say('One.')
    await pass(900)
    expect(written).toEqual([])
    await pass(100)
    expect(written).toEqual([['One.']])
    await pass(5000)
    expect(written).toHaveLength(1)
    say('Two.')
    await pass(1000)
    expect(written.slice(1)).toEqual([['Two.']])
  })

  it('is written once a second at most, however much is said', async () => {
    const { written, say, pass } = setUp()
    for (let line = 0; line < 50; line += 1) {
      say(`Line ${line}.`)
      await pass(100)
    }
    expect(written).toHaveLength(5)
  })

  it('is written later after much at once, and as often as ever after that', async () => {
    const { written, say, pass } = setUp()
    say('x'.repeat(200_000))
    await pass(1000)
    say('Two.')
    await pass(3900)
    expect(written).toHaveLength(1)
    await pass(200)
    expect(written).toHaveLength(2)
    say('Three.')
    await pass(1000)
    expect(written.slice(1)).toEqual([['Two.'], ['Three.']])
  })

  it('is written later when the database is away, and tells so once', async () => {
    const { written, failures, state, say, pass } = setUp()
    state.isDown = true
    say('One.')
    await pass(5000)
    expect(failures).toHaveLength(1)
    say('Two.')
    state.isDown = false
    await pass(1000)
    expect(written).toEqual([['One.', 'Two.']])
  })

  it('ends with its conversation', async () => {
    const { clock, record, written, say, pass } = setUp()
    say('One.')
    record.close()
    await pass(3000)
    expect(written).toEqual([])
    expect(clock.pending).toBe(0)
  })
})
