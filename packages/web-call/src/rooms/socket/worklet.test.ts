import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { PlayerReport, PlayerRequest } from './worklet.js'

const QUANTUM = 128

/** The port of a processor in the test's hands. */
class TestPort {
  readonly posted: unknown[] = []
  onmessage: ((event: { data: PlayerRequest }) => void) | undefined

  postMessage(message: unknown): void {
    this.posted.push(message)
  }
}

const ports: TestPort[] = []

class AudioWorkletProcessor {
  readonly port = new TestPort()

  constructor() {
    ports.push(this.port)
  }
}

const registered = new Map<string, unknown>()

/** The module as an audio thread of this rate loads it. */
async function loadWorklet(sampleRate: number) {
  vi.stubGlobal('sampleRate', sampleRate)
  vi.stubGlobal('AudioWorkletProcessor', AudioWorkletProcessor)
  vi.stubGlobal('registerProcessor', (name: string, processor: unknown) => registered.set(name, processor))
  vi.resetModules()
  return import('./worklet.js')
}

function lastPort(): TestPort {
  const port = ports.at(-1)
  if (!port) throw new Error('No processor was made.')
  return port
}

const sine = (hertz: number, rate: number, seconds: number, peak: number) =>
  Float32Array.from(
    { length: rate * seconds },
    (_, index) => peak * Math.sin((2 * Math.PI * hertz * index) / rate),
  )

const pcm = (samples: Float32Array) => Int16Array.from(samples, (sample) => Math.round(sample * 32_767))

function rms(samples: Float32Array): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length)
}

/** Frequency of a pure tone, from its upward crossings of zero. */
function frequency(samples: Float32Array, rate: number): number {
  const crossings: number[] = []
  for (let index = 1; index < samples.length; index++) {
    const [before, after] = [samples[index - 1] ?? 0, samples[index] ?? 0]
    if (before < 0 && after >= 0) crossings.push(index - after / (after - before))
  }
  const [first, last] = [crossings[0] ?? 0, crossings.at(-1) ?? 0]
  return ((crossings.length - 1) * rate) / (last - first)
}

/** What is left when the best fitting tone of this frequency is taken away: noise and false tones. */
function residue(samples: Float32Array, hertz: number, rate: number): number {
  let [sine, cosine] = [0, 0]
  const turn = (2 * Math.PI * hertz) / rate
  samples.forEach((sample, index) => {
    sine += sample * Math.sin(turn * index)
    cosine += sample * Math.cos(turn * index)
  })
  const scale = 2 / samples.length
  return rms(
    samples.map(
      (sample, index) => sample - scale * (sine * Math.sin(turn * index) + cosine * Math.cos(turn * index)),
    ),
  )
}

beforeEach(() => {
  ports.length = 0
  registered.clear()
})

afterEach(() => {
  vi.unstubAllGlobals()
})

describe.each([48_000, 44_100, 16_000])('capture at %i Hz', (rate) => {
  /** Everything that the capture sends of a tone of a quarter of full scale. */
  async function captured(
    hertz: number,
    seconds: number,
  ): Promise<{ frames: Int16Array[]; tone: Float32Array }> {
    const { Capture } = await loadWorklet(rate)
    const processor = new Capture()
    const input = sine(hertz, rate, seconds, 0.25)
    for (let at = 0; at + QUANTUM <= input.length; at += QUANTUM)
      processor.process([[input.subarray(at, at + QUANTUM)]])
    const frames = lastPort().posted as Int16Array[]
    const tone = Float32Array.from(frames.flatMap((frame) => [...frame])).map((sample) => sample / 32_767)
    return { frames, tone: tone.subarray(320) }
  }

  it('sends frames of 20 ms at 16 kHz', async () => {
    const { frames } = await captured(440, 2)
    expect(frames.every((frame) => frame instanceof Int16Array && frame.length === 320)).toBe(true)
    const captured16k = (Math.floor((2 * rate) / QUANTUM) * QUANTUM * 16_000) / rate
    expect(frames.length).toBe(Math.floor(captured16k / 320))
  })

  it.each([200, 1000, 3000])('keeps frequency and level of a %i Hz tone', async (hertz) => {
    const { tone } = await captured(hertz, 2)
    expect(frequency(tone, 16_000)).toBeCloseTo(hertz, 1)
    expect(rms(tone) / (0.25 / Math.SQRT2)).toBeCloseTo(1, 2)
    expect(residue(tone, hertz, 16_000)).toBeLessThan(0.001)
  })
})

it('keeps a tone above the wire’s band from coming back as a false one', async () => {
  const { Capture } = await loadWorklet(48_000)
  const capture = new Capture()
  const input = sine(10_000, 48_000, 1, 0.25)
  for (let at = 0; at + QUANTUM <= input.length; at += QUANTUM)
    capture.process([[input.subarray(at, at + QUANTUM)]])
  const frames = (lastPort().posted as Int16Array[]).slice(1)
  const rest = Float32Array.from(frames.flatMap((frame) => [...frame])).map((sample) => sample / 32_767)
  expect(rms(rest)).toBeLessThan(0.0002)
})

it('waits for a microphone that is not connected yet', async () => {
  const { Capture } = await loadWorklet(48_000)
  const capture = new Capture()
  expect(capture.process([[]])).toBe(true)
  expect(lastPort().posted).toEqual([])
})

describe('player', () => {
  async function openPlayer(rate = 48_000) {
    const { Player } = await loadWorklet(rate)
    const player = new Player()
    const port = lastPort()
    return {
      reports: port.posted as PlayerReport[],
      ask: (...requests: PlayerRequest[]) => {
        for (const data of requests) port.onmessage?.({ data })
      },
      /** Lets it play for some milliseconds (in whole quanta) and answers what came out. */
      run(milliseconds: number): Float32Array {
        const quanta = Math.ceil((milliseconds * rate) / 1000 / QUANTUM)
        const output = new Float32Array(quanta * QUANTUM)
        for (let at = 0; at < output.length; at += QUANTUM)
          player.process([], [[output.subarray(at, at + QUANTUM)]])
        return output
      },
    }
  }

  const speech = (milliseconds: number, hertz = 1000): PlayerRequest => ({
    type: 'play',
    samples: pcm(sine(hertz, 16_000, milliseconds / 1000, 0.25)),
  })

  it.each([48_000, 44_100, 16_000])('plays at %i Hz with frequency and level kept', async (rate) => {
    const player = await openPlayer(rate)
    player.ask(speech(1000))
    const heard = player.run(900).subarray(1000)
    expect(frequency(heard, rate)).toBeCloseTo(1000, 1)
    expect(rms(heard) / (0.25 / Math.SQRT2)).toBeCloseTo(1, 2)
    expect(residue(heard, 1000, rate)).toBeLessThan(0.001)
  })

  it('begins when 60 ms are there', async () => {
    const player = await openPlayer()
    player.ask(speech(40))
    expect(rms(player.run(10))).toBe(0)
    player.ask(speech(20))
    expect(rms(player.run(10))).toBeGreaterThan(0.05)
    expect(player.reports).toEqual([{ type: 'audible' }])
  })

  it('begins with less when a mark ends it, or when no more comes', async () => {
    const short = await openPlayer()
    short.ask(speech(20), { type: 'mark', id: 1 })
    expect(rms(short.run(10))).toBeGreaterThan(0.05)

    const alone = await openPlayer()
    alone.ask(speech(20))
    expect(rms(alone.run(55))).toBe(0)
    expect(rms(alone.run(15))).toBeGreaterThan(0.05)
  })

  it('reports a mark when all before it was played, and one without speech at once', async () => {
    const player = await openPlayer()
    player.ask(speech(100), { type: 'mark', id: 7 }, speech(100), { type: 'mark', id: 8 })
    player.run(90)
    expect(player.reports).toEqual([{ type: 'audible' }])
    player.run(20)
    expect(player.reports.at(-1)).toEqual({ type: 'reached', id: 7 })
    player.run(100)
    expect(player.reports.at(-1)).toEqual({ type: 'reached', id: 8 })
    player.ask({ type: 'mark', id: 9 })
    player.run(1)
    expect(player.reports.at(-1)).toEqual({ type: 'reached', id: 9 })
  })

  it('drops speech and marks on a clear and says what was played since the last mark', async () => {
    const player = await openPlayer(16_000)
    player.ask(speech(96), { type: 'mark', id: 1 }, speech(1000), { type: 'mark', id: 2 })
    player.run(96 + 200)
    player.ask({ type: 'clear', id: 3 })
    expect(player.reports.at(-1)).toMatchObject({ type: 'cleared', id: 3 })
    const cleared = player.reports.at(-1)
    const playedMs = cleared?.type === 'cleared' ? cleared.playedMs : Number.NaN
    // The resampler has taken two milliseconds more than were heard.
    expect(playedMs).toBeGreaterThanOrEqual(200)
    expect(playedMs).toBeLessThan(203)
    player.run(5)
    expect(rms(player.run(1000))).toBe(0)
    expect(player.reports.filter(({ type }) => type === 'reached')).toEqual([{ type: 'reached', id: 1 }])
  })

  it('plays again after a clear, and counts from there', async () => {
    const player = await openPlayer()
    player.ask(speech(500))
    player.run(100)
    player.ask({ type: 'clear', id: 1 }, { type: 'clear', id: 2 }, speech(100), { type: 'mark', id: 3 })
    expect(player.reports.at(-1)).toEqual({ type: 'cleared', id: 2, playedMs: 0 })
    expect(rms(player.run(50))).toBeGreaterThan(0.05)
    player.run(60)
    expect(player.reports.at(-1)).toEqual({ type: 'reached', id: 3 })
  })

  it('gathers again when it runs dry, and loses no sample', async () => {
    const player = await openPlayer(16_000)
    player.ask(speech(80))
    const first = player.run(120)
    player.ask(speech(80))
    const second = player.run(120)
    const energy = (samples: Float32Array) => samples.reduce((sum, sample) => sum + sample * sample, 0)
    expect(energy(first) / energy(second)).toBeCloseTo(1, 2)
  })

  it('reports the level of what is heard when it is asked to', async () => {
    const player = await openPlayer()
    player.ask(speech(400), { type: 'observe', intervalMs: 100 })
    player.run(350)
    const levels = player.reports.flatMap((report) => (report.type === 'level' ? [report.level] : []))
    expect(levels).toHaveLength(3)
    expect(levels[1]).toBeCloseTo(0.25 / Math.SQRT2, 2)
  })
})

it('registers under the names that the page asks for', async () => {
  await loadWorklet(48_000)
  expect([...registered.keys()]).toEqual(['heyline-capture', 'heyline-player'])
})
