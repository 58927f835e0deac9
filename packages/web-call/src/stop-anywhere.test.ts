import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AudioPage } from './testing/audio-page-harness.js'
import { CALL, CallHarness, type HarnessOptions } from './testing/call-harness.js'
import { ASSISTANT, type RoomScript } from './testing/scripted-room.js'

let page: AudioPage

beforeEach(() => {
  page = new AudioPage()
})

afterEach(() => {
  vi.unstubAllGlobals()
})

const STOPPING = [
  'call-start-progress',
  'call-start',
  'call-start-success',
  'call-start-failed',
  'error',
  'call-end',
  'message',
  'volume-level',
  'speech-start',
  'transcript',
  'connection',
  'audio-blocked',
] as const

const ENDING = /^(speech-end|transcript|call-end|message status-update|call-start-failed|error .+)$/

const tick = async (times: number) => {
  for (let time = 0; time < times; time++) await Promise.resolve()
}

/** Every part of it takes its time, and the assistant speaks during the join and after it. */
const SLOW_ROOM: RoomScript = {
  async join(room) {
    await tick(3)
    room.emit('track-started', { participant: ASSISTANT, track: page.track, type: 'audio' })
    room.hear('listening')
    await tick(3)
  },
  async observeLevels(room) {
    await tick(2)
    room.level(0.3)
    room.connection('interrupted')
    room.emit('audio-blocked', {})
    room.hear({ type: 'transcript', role: 'user', transcriptType: 'partial', transcript: 'When' })
  },
  async updateInputSettings() {
    await tick(2)
  },
  async destroy() {
    await tick(2)
  },
}

interface Kind extends HarnessOptions {
  /** What came before: a call that is being released, say. */
  before?(harness: CallHarness): Promise<unknown>
  start(harness: CallHarness): Promise<unknown>
  fails?: true
}

const start = ({ client }: CallHarness) => client.start({ assistant: 'a' })

const KINDS: Record<string, Kind> = {
  'a start': { start },
  'a start of a recorded call': {
    start,
    answer: () => Response.json({ ...CALL, artifactPlan: { videoRecordingEnabled: true } }),
  },
  'a call that is joined again': { start: ({ client }) => client.reconnect(CALL) },
}

const HARD_KINDS: Record<string, Kind> = {
  'a start while the room before is released': {
    async before(harness) {
      await harness.start()
      harness.room.level(0.2)
      void harness.client.stop()
    },
    start,
  },
  'a start that fails in its join': {
    start,
    fails: true,
    scripts: [
      {
        async join() {
          await tick(3)
          throw new Error('no')
        },
      },
    ],
  },
}

async function harnessOf({ before, start: _, fails: __, ...options }: Kind): Promise<CallHarness> {
  const harness = new CallHarness({ scripts: [SLOW_ROOM], ...options })
  await before?.(harness)
  return harness
}

/** How many turns of the queue it takes until it is done. */
async function lengthOf(kind: Kind): Promise<number> {
  const harness = await harnessOf(kind)
  let turns = 0
  let isDone = false
  const started = kind.start(harness).finally(() => {
    isDone = true
  })
  for (; !isDone; turns++) await Promise.resolve()
  await started
  await harness.client.stop()
  expect(turns).toBeGreaterThan(20)
  return turns
}

/** Whatever was told, it was told in an order that holds, and nothing is left. */
async function expectNothingLeft(harness: CallHarness, { fails }: Kind): Promise<void> {
  await tick(50)
  harness.expectNothingLeft()
  expect(page.elements.size).toBe(0)
  const count = (line: string) => harness.story.filter((told) => told === line).length
  expect(count('call-end')).toBe(count('daily-call-join completed'))
  if (count('call-end')) {
    const rest = harness.story.slice(harness.story.lastIndexOf('call-end'))
    expect(rest).not.toContain('call-start-success')
    expect(rest).not.toContain('call-start')
  }
  expect(count('message status-update')).toBe(count('call-end'))
  expect(count('speech-end')).toBe(count('speech-start'))
  expect(harness.payloads('transcript').at(-1)?.[0].isFinal ?? true).toBe(true)
  // A stop is no failure; one that came before it is told to its end.
  expect(count('call-start-failed')).toBeLessThanOrEqual(fails ? 1 : 0)
  expect(harness.payloads('error')).toHaveLength(2 * count('call-start-failed'))
}

describe.each(Object.entries({ ...KINDS, ...HARD_KINDS }))('%s', (_name, kind) => {
  it('is stopped at every turn of its way, and leaves nothing', async () => {
    const turns = await lengthOf(kind)
    for (let turn = 0; turn <= turns; turn++) {
      const harness = await harnessOf(kind)
      const started = kind.start(harness)
      await tick(turn)
      const stopped = harness.client.stop()
      await Promise.all([started, stopped])
      await expectNothingLeft(harness, kind)
    }
  })

  it('settles at once when it is stopped, whatever its room does', async () => {
    const never = () => new Promise<never>(() => {})
    const turns = await lengthOf(kind)
    for (let turn = 0; turn <= turns; turn++) {
      const scripts = [
        ...(kind.before ? [{ ...SLOW_ROOM, destroy: never }] : []),
        { join: never, destroy: never },
      ]
      const harness = await harnessOf({ ...kind, scripts })
      const settled = vi.fn()
      void kind.start(harness).then(settled)
      await tick(turn)
      void harness.client.stop()
      await tick(10)
      expect(settled).toHaveBeenCalled()
    }
  })

  it('is stopped by a listener of each of its events, and leaves nothing', async () => {
    const whole = await harnessOf(kind)
    await kind.start(whole)
    await whole.client.stop()
    for (let event = 1; event <= whole.told.length; event++) {
      const harness = await harnessOf(kind)
      let told = 0
      let toldBefore = 0
      for (const name of STOPPING)
        harness.client.on(name, () => {
          told += 1
          if (told !== event) return
          toldBefore = harness.story.length
          void harness.client.stop()
        })
      await kind.start(harness)
      // A stop begins nothing: what follows are an end, or the rest of a failure.
      if (toldBefore) expect(harness.story.slice(toldBefore).filter((line) => !ENDING.test(line))).toEqual([])
      await harness.client.stop()
      await expectNothingLeft(harness, kind)
    }
  })
})

describe.each(Object.entries(KINDS))('%s', (_name, kind) => {
  it('may be followed by a start that goes well, from every turn of its way', async () => {
    const turns = await lengthOf(kind)
    for (let turn = 0; turn <= turns; turn++) {
      const harness = await harnessOf(kind)
      const first = kind.start(harness)
      await tick(turn)
      void harness.client.stop()
      const second = harness.client.start({ assistant: 'b' })
      await first
      await expect(second).resolves.not.toBeNull()
      await harness.client.stop()
      await expectNothingLeft(harness, kind)
    }
  })
})
