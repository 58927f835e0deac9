import { ManualClock } from '@heyline/kit/manual-clock'
import { describe, expect, it } from 'vitest'
import type { MarkOutcome } from '../link/link.js'
import { dbfs, largestStep, peakOf, sine } from '../testing/signals.js'
import { COMFORT_NOISE_DBFS } from './comfort-noise.js'
import { LineOut } from './line-out.js'
import { decodeMuLaw } from './mu-law.js'
import { OFFICE_DBFS } from './office-sound.js'

/** The far end holds so much at most. */
const LEAD_MS = 100
/** A tone of 200 Hz moves by so much between two samples of 8 kHz at most; the rest is mu-law's own coarseness. */
const ownStep = (amplitude: number) => amplitude * ((2 * Math.PI * 200) / 8_000) * 1.05 + amplitude / 16

/** A far end that plays what it holds, 20 ms at a time, and silence where it holds nothing. */
class FarEnd {
  readonly clock = new ManualClock(1_000_000)
  readonly line: LineOut
  readonly places: number[] = []
  clears = 0
  dry = 0
  #held: Array<Uint8Array | string> = []
  #heard: Uint8Array[] = []

  constructor({ leadMs = LEAD_MS - 20, holds = true } = {}) {
    this.line = new LineOut({
      clock: this.clock,
      leadMs,
      wire: {
        frame: (bytes, at) => {
          this.places.push(at)
          this.#held.push(Uint8Array.from(bytes))
        },
        ...(holds && {
          mark: (name: string) => void this.#held.push(name),
          clear: () => {
            this.clears += 1
            this.#held = this.#held.filter((item) => typeof item === 'string')
          },
        }),
      },
    })
  }

  get heldMs(): number {
    return this.#held.filter((item) => typeof item !== 'string').length * 20
  }

  get heard(): Int16Array {
    return decodeMuLaw(Buffer.concat(this.#heard))
  }

  pass(ms: number): void {
    for (let passed = 0; passed < ms; passed += 20) {
      this.#tell()
      const frame = this.#held.shift()
      if (frame === undefined) this.dry += 1
      else if (typeof frame !== 'string') this.#heard.push(frame)
      this.#tell()
      this.clock.advance(20)
    }
  }

  #tell(): void {
    for (let first = this.#held[0]; typeof first === 'string'; first = this.#held[0]) {
      this.#held.shift()
      this.line.reached(first)
    }
  }
}

/** How a mark stands. */
function outcomeOf(mark: Promise<MarkOutcome>) {
  const seen: { outcome?: MarkOutcome } = {}
  void mark.then((outcome) => {
    seen.outcome = outcome
  })
  return seen
}

describe('LineOut', () => {
  it('has the sound of an office between speech and under it, where it is asked for', () => {
    const far = new FarEnd()
    far.line.office()
    far.line.open()
    far.pass(4_000)
    expect(Math.abs(dbfs(far.heard) - OFFICE_DBFS)).toBeLessThan(3)
    far.line.speak(sine(200, 16_000, 1_000, 8_000))
    far.pass(1_000)
    far.line.end()
    expect(peakOf(far.heard)).toBeGreaterThan(7_000)
    expect(far.dry).toBe(0)
  })

  it('brings a tone to the far end at its level, and whole', () => {
    const end = new FarEnd()
    end.line.open()
    end.line.speak(sine(440, 16_000, 1_000, 16_000))
    end.pass(1_200)
    const { heard } = end
    const middle = heard.subarray(800, 7_200)
    expect(Math.abs(dbfs(middle) - dbfs(sine(440, 8_000, 800, 16_000)))).toBeLessThan(0.2)
    expect(Math.abs(peakOf(middle) / 16_000 - 1)).toBeLessThan(0.05)
    const loud = heard.findLastIndex((sample) => Math.abs(sample) > 100)
    expect(Math.abs(loud - 8_000)).toBeLessThan(60)
    end.line.end()
  })

  it('does not clip what is as loud as can be', () => {
    const end = new FarEnd()
    end.line.speak(sine(440, 16_000, 400, 32_000))
    end.pass(400)
    expect(Math.abs(dbfs(end.heard.subarray(400, 2_800)) - dbfs(sine(440, 8_000, 300, 32_000)))).toBeLessThan(
      0.2,
    )
    end.line.end()
  })

  it('joins pieces of any length without a step', () => {
    const end = new FarEnd()
    const speech = sine(200, 16_000, 2_000, 12_000)
    for (let at = 0, size = 1; at < speech.length; at += size, size = (size * 7) % 1_013)
      end.line.speak(speech.subarray(at, at + size))
    end.pass(2_200)
    expect(largestStep(end.heard)).toBeLessThan(ownStep(12_000))
    expect(Math.abs(dbfs(end.heard.subarray(800, 15_200)) - dbfs(speech))).toBeLessThan(0.2)
    end.line.end()
  })

  it.each([5, 85, 125, 145])('has no step where speech comes too late, %i ms in', (ms) => {
    const end = new FarEnd()
    const speech = sine(200, 16_000, 400, 12_000)
    end.line.speak(speech.subarray(0, ms * 16 + 11))
    end.pass(400)
    end.line.speak(speech.subarray(ms * 16 + 11))
    end.pass(600)
    expect(largestStep(end.heard)).toBeLessThan(ownStep(12_000))
    end.line.end()
  })

  it('begins and ends without a step what begins and ends in the middle of a wave', () => {
    const end = new FarEnd()
    end.line.open()
    end.pass(100)
    end.line.speak(sine(200, 16_000, 305, 12_000).subarray(20, 4_820))
    end.pass(500)
    end.line.speak(new Int16Array(3_200).fill(8_000))
    end.pass(500)
    expect(largestStep(end.heard)).toBeLessThan(ownStep(12_000))
    end.line.end()
  })

  it('is silent within the lead after a clear, and fades instead of breaking off', async () => {
    for (const cutMs of [20, 160, 500, 1_240]) {
      const end = new FarEnd()
      end.line.speak(sine(200, 16_000, 3_000, 12_000).subarray(13))
      const mark = outcomeOf(end.line.mark())
      end.pass(cutMs)
      expect(end.line.clear()).toBe(cutMs + LEAD_MS)
      await Promise.resolve()
      expect(mark.outcome).toBe('cleared')
      end.pass(600)
      const { heard } = end
      expect(largestStep(heard)).toBeLessThan(ownStep(12_000))
      const last = heard.findLastIndex((sample) => Math.abs(sample) > 100)
      expect(last / 8).toBeGreaterThan(cutMs + LEAD_MS - 5)
      expect(last / 8).toBeLessThan(cutMs + LEAD_MS + 10)
      end.line.end()
    }
  })

  it('goes on after a clear without a step, and all that is said then is heard', async () => {
    const end = new FarEnd()
    end.line.speak(sine(200, 16_000, 3_000, 12_000))
    end.pass(330)
    end.line.clear()
    end.line.speak(sine(200, 16_000, 500, 12_000))
    const mark = outcomeOf(end.line.mark())
    end.pass(1_000)
    await Promise.resolve()
    expect(mark.outcome).toBe('played')
    expect(largestStep(end.heard)).toBeLessThan(ownStep(12_000))
    const loudFrames = Array.from({ length: end.heard.length / 160 }, (_, n) =>
      dbfs(end.heard.subarray(n * 160, (n + 1) * 160)),
    ).filter((level) => level > -20).length
    expect(loudFrames * 20).toBeGreaterThanOrEqual(330 + LEAD_MS + 480)
    expect(end.dry).toBe(0)
    end.line.end()
  })

  it('takes back what a slow far end still holds after the fade', () => {
    const end = new FarEnd()
    end.line.speak(sine(200, 16_000, 3_000, 12_000))
    // Its ear stands still for half a second: a connection that does not get on.
    end.clock.advance(500)
    expect(end.heldMs).toBeGreaterThan(500)
    end.line.clear()
    end.pass(200)
    expect(end.clears).toBe(1)
    expect(end.heldMs).toBeLessThanOrEqual(LEAD_MS)
    end.line.end()
  })

  it('tells what was heard since the last mark that was reached', async () => {
    const end = new FarEnd()
    end.line.speak(sine(200, 16_000, 200, 12_000))
    const first = outcomeOf(end.line.mark())
    end.line.speak(sine(200, 16_000, 2_000, 12_000))
    end.pass(600)
    await Promise.resolve()
    expect(first.outcome).toBe('played')
    expect(end.line.clear()).toBe(400 + LEAD_MS)
    expect(end.line.clear()).toBe(0)
    end.line.end()
  })

  it('tells after its end what was heard until then', () => {
    const end = new FarEnd()
    end.line.speak(sine(200, 16_000, 2_000, 12_000))
    end.pass(600)
    end.line.end()
    end.line.speak(sine(200, 16_000, 2_000, 12_000))
    expect(Math.abs(end.line.clear() - 600)).toBeLessThanOrEqual(20)
    expect(end.line.clear()).toBe(0)
    expect(end.clock.pending).toBe(0)
  })

  it('settles a mark when the far end has played it, in order', async () => {
    const end = new FarEnd()
    end.line.speak(sine(200, 16_000, 310, 12_000))
    const marks = [end.line.mark(), end.line.mark()].map(outcomeOf)
    end.pass(300)
    await Promise.resolve()
    expect(marks.map(({ outcome }) => outcome)).toEqual([undefined, undefined])
    end.pass(40)
    await Promise.resolve()
    expect(marks.map(({ outcome }) => outcome)).toEqual(['played', 'played'])
    end.line.end()
  })

  it('settles marks by the clock where the far end cannot tell', async () => {
    const end = new FarEnd({ leadMs: 0, holds: false })
    end.line.speak(sine(440, 16_000, 300, 12_000))
    const first = outcomeOf(end.line.mark())
    end.clock.advance(299)
    await Promise.resolve()
    expect(first.outcome).toBeUndefined()
    end.clock.advance(1)
    await Promise.resolve()
    expect(first.outcome).toBe('played')
    end.line.speak(sine(440, 16_000, 20, 12_000))
    const second = outcomeOf(end.line.mark())
    end.clock.advance(5)
    end.line.clear()
    await Promise.resolve()
    expect(second.outcome).toBe('cleared')
    end.line.end()
    expect(end.clock.pending).toBe(0)
  })

  it('sounds like an open line where nobody speaks, from the first frame on', () => {
    const end = new FarEnd()
    end.line.open()
    end.pass(2_000)
    end.line.speak(sine(440, 16_000, 200, 12_000))
    end.pass(2_000)
    const { heard } = end
    expect(heard).toHaveLength(32_000)
    expect(Math.abs(dbfs(heard.subarray(0, 16_000)) - COMFORT_NOISE_DBFS)).toBeLessThan(1)
    expect(Math.abs(dbfs(heard.subarray(18_000)) - COMFORT_NOISE_DBFS)).toBeLessThan(1)
    for (let at = 0; at < heard.length; at += 160)
      expect(dbfs(heard.subarray(at, at + 160))).toBeGreaterThan(COMFORT_NOISE_DBFS - 2)
    expect(end.dry).toBe(0)
    end.line.end()
  })

  it('does not let the first words wait behind the noise that runs ahead', () => {
    const end = new FarEnd()
    end.line.open()
    end.pass(1_000)
    end.line.speak(sine(440, 16_000, 200, 12_000))
    const before = end.heard.length
    end.pass(20)
    expect(dbfs(end.heard.subarray(before))).toBeGreaterThan(-20)
    end.line.end()
  })

  it('never lets a far end run dry, and never runs further ahead than its lead', () => {
    const end = new FarEnd()
    end.line.open()
    for (let n = 0; n < 50; n += 1) {
      if (n === 10) end.line.speak(sine(440, 16_000, 5_000, 12_000))
      end.pass(20)
      expect(end.heldMs).toBeLessThanOrEqual(LEAD_MS)
    }
    expect(end.dry).toBe(0)
    end.line.end()
  })

  it('sends one frame every 20 ms where the far end holds none, and catches up after a short delay', () => {
    const end = new FarEnd({ leadMs: 0, holds: false })
    end.line.speak(sine(440, 16_000, 1_000, 12_000))
    expect(end.places).toEqual([0])
    end.clock.advance(200)
    expect(end.places).toHaveLength(11)
    expect(end.places.at(-1)).toBe(1_600)
    end.line.end()
  })

  it('loses time, but no speech, when the process has stood still', () => {
    const clock = new StoppedClock()
    const places: number[] = []
    const line = new LineOut({ clock, leadMs: 0, wire: { frame: (_, at) => void places.push(at) } })
    line.speak(sine(440, 16_000, 100, 12_000))
    clock.wake(1_000)
    clock.wake(20)
    expect(places).toEqual([0, 8_000, 8_160])
    line.end()
  })

  it('takes nothing after its end', async () => {
    const end = new FarEnd()
    end.line.speak(sine(440, 16_000, 400, 12_000))
    const mark = end.line.mark()
    end.line.end()
    expect(await mark).toBe('cleared')
    const { length } = end.places
    end.line.open()
    end.line.speak(sine(440, 16_000, 100, 12_000))
    end.line.reached('1')
    end.clock.advance(1_000)
    expect(end.places).toHaveLength(length)
    expect(await end.line.mark()).toBe('cleared')
    expect(end.clock.pending).toBe(0)
  })
})

/** A clock whose alarm goes off once for each time it is woken, however late. */
class StoppedClock {
  #now = 0
  #run = () => {}

  now(): number {
    throw new Error('A line asks how time passes, not what time it is.')
  }

  monotonic(): number {
    return this.#now
  }

  after(_ms: number, run: () => void): () => void {
    this.#run = run
    return () => {
      this.#run = () => {}
    }
  }

  wake(ms: number): void {
    this.#now += ms
    this.#run()
  }
}
