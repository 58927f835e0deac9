// The MLSA vocoder of flite's statistical voices, with SIMD. It does the same operations on the same 64-bit numbers in the same order as
// flite's own, so its samples are the same to the last bit. What flite does one after another although it does not depend on each other
// is done in lanes here: the five stages of the filter, pulse and noise, and the energies of four frames before and after their sharpening.

@external('flite', 'malloc')
declare function malloc(bytes: usize): usize
@external('flite', 'free')
declare function free(at: usize): void
@external('flite', 'exp')
declare function exp(x: f64): f64
@external('flite', 'log')
declare function log(x: f64): f64
@external('flite', 'new_wave')
declare function newWave(): usize
@external('flite', 'cst_wave_resize')
declare function resizeWave(wave: usize, samples: i32, channels: i32): void

/** Fields of flite's structures. */
const TRACK_FRAMES: usize = 4
const TRACK_CHANNELS: usize = 8
const TRACK_TIMES: usize = 12
const TRACK_VALUES: usize = 16
const WAVE_RATE: usize = 4
const WAVE_SAMPLES: usize = 8
const WAVE_VALUES: usize = 16
const VOICE_RATE: usize = 12
const VOICE_ALPHA: usize = 120
const VOICE_BETA: usize = 124
const VOICE_BANDS: usize = 136
const VOICE_BAND_TAPS: usize = 140
const VOICE_BAND_FILTERS: usize = 144
const VOICE_GAIN: usize = 152

/** Samples of the impulse response whose energy is compared. */
const RESPONSE: i32 = 64
/** Frames whose energies are computed at once: two lanes each. */
const BATCH: i32 = 4
/** Padé coefficients of the exponential, order 5. */
const PADE_1: f64 = 0.4999391
const PADE_2: f64 = 0.1107098
const PADE_3: f64 = 0.01369984
const PADE_4: f64 = 0.0009564853
const PADE_5: f64 = 0.00003041721

/** The state of the C library's rand(). */
let seed: u64 = 0

/** As a program of flite that has just been started. */
export function resetNoise(): void {
  seed = 0
}

/** Takes the place of `mlsa_resynthesis`: a track of pitch and mel-cepstra, and of the strengths of its bands, becomes a wave. */
export function resynthesize(track: usize, strengths: usize, voice: usize, _stream: usize, cut: i32): usize {
  if (!strengths) unreachable()
  const frames = load<i32>(track, TRACK_FRAMES)
  const rate = load<i32>(voice, VOICE_RATE)
  const times = load<usize>(track, TRACK_TIMES)
  const shift: f64 = frames > 1 ? <f64>(load<f32>(times, 4) - load<f32>(times)) * 1000.0 : 5.0
  const length = <i32>(shift * <f64>rate / 1000.0 + 0.5)
  let order = load<i32>(track, TRACK_CHANNELS) - 1
  if (order > cut && order - cut > 4) order -= cut

  const wave = newWave()
  resizeWave(wave, frames * length, 1)
  store<i32>(wave, rate, WAVE_RATE)
  const samples = frames < 2 ? 0 : (frames - 1) * length
  store<i32>(wave, samples, WAVE_SAMPLES)
  if (samples > 0) {
    const coefficients = filterCoefficients(track, frames, order, voice)
    play(track, strengths, voice, coefficients, frames, order, length, load<usize>(wave, WAVE_VALUES))
    free(coefficients)
  }
  return wave
}

/** The filter of each frame, `order` + 1 numbers each, for the whole track. The caller frees them. */
function filterCoefficients(track: usize, frames: i32, order: i32, voice: usize): usize {
  const alpha = <f64>load<f32>(voice, VOICE_ALPHA)
  const beta = <f64>load<f32>(voice, VOICE_BETA)
  // Rounded to 32 bits, as in flite.
  const sharpening = load<f32>(voice, VOICE_BETA) * load<f32>(voice, VOICE_ALPHA)
  const values = load<usize>(track, TRACK_VALUES)
  const stride: usize = (<usize>order + 1) << 3
  const all = malloc(stride * <usize>frames)
  for (let frame = 0; frame < frames; frame += 1) {
    const cepstrum = load<usize>(values + (<usize>frame << 2)) + 4
    const at = all + stride * <usize>frame
    let next: f64 = 0.0
    store<f64>(at + (<usize>order << 3), next)
    for (let k = order - 1; k >= 0; k -= 1) {
      next = <f64>load<f32>(cepstrum + (<usize>k << 2)) - alpha * next
      store<f64>(at + (<usize>k << 3), next)
    }
  }
  if (!(beta > 0.0) || order <= 1) return all

  const pairs = malloc((<usize>order + 1) * <usize>BATCH << 4)
  const rows = malloc(<usize>(2 * RESPONSE * BATCH) << 4)
  for (let first = 0; first < frames; first += BATCH) {
    for (let lane = 0; lane < BATCH; lane += 1) {
      // The last frame fills the lanes that are left over.
      const frame = min(first + lane, frames - 1)
      const isLeftOver = first + lane >= frames
      const at = all + stride * <usize>frame
      const cepstrum = load<usize>(values + (<usize>frame << 2)) + 4
      for (let k = 0; k <= order; k += 1) {
        const before = load<f64>(at + (<usize>k << 3))
        let after = before
        if (!isLeftOver) {
          const third = order == 2 ? 0.0 : <f64>load<f32>(cepstrum, 8)
          if (k == 1) after = before - <f64>sharpening * third
          else if (k > 1) after = before * (1.0 + beta)
          store<f64>(at + (<usize>k << 3), after)
        }
        const pair = pairs + (<usize>(k * BATCH + lane) << 4)
        store<f64>(pair, before)
        store<f64>(pair, after, 8)
      }
    }
    energies(pairs, rows, order, alpha)
    for (let lane = 0; lane < BATCH && first + lane < frames; lane += 1) {
      const at = all + stride * <usize>(first + lane)
      const pair = pairs + (<usize>lane << 4)
      store<f64>(at, load<f64>(at) + log(load<f64>(pair) / load<f64>(pair, 8)) / 2.0)
    }
  }
  free(rows)
  free(pairs)
  return all
}

/** Of each lane: the energy of the impulse response of its filter, left in the first row of `pairs`. */
function energies(pairs: usize, rows: usize, order: i32, alpha: f64): void {
  const a = f64x2.splat(alpha)
  // Back to mel-cepstra.
  for (let lane = 0; lane < BATCH; lane += 1) {
    let at = pairs + (<usize>(order * BATCH + lane) << 4)
    let next = v128.load(at)
    for (let k = order - 1; k >= 0; k -= 1) {
      at -= BATCH << 4
      const here = v128.load(at)
      v128.store(at, f64x2.add(here, f64x2.mul(a, next)))
      next = here
    }
  }
  // To cepstra: a chain of all-pass filters that is run once for each coefficient, the last one first.
  const back = f64x2.splat(-alpha)
  const rest = f64x2.splat(1.0 - -alpha * -alpha)
  const zero = f64x2.splat(0.0)
  const cepstra = rows
  for (let k = 0; k < RESPONSE * BATCH; k += 1) v128.store(cepstra + (<usize>k << 4), zero)
  for (let k = order; k >= 0; k -= 1) {
    const row = pairs + (<usize>(k * BATCH) << 4)
    let old0 = v128.load(cepstra)
    let old1 = v128.load(cepstra, 16)
    let old2 = v128.load(cepstra, 32)
    let old3 = v128.load(cepstra, 48)
    v128.store(cepstra, f64x2.add(v128.load(row), f64x2.mul(back, old0)))
    v128.store(cepstra, f64x2.add(v128.load(row, 16), f64x2.mul(back, old1)), 16)
    v128.store(cepstra, f64x2.add(v128.load(row, 32), f64x2.mul(back, old2)), 32)
    v128.store(cepstra, f64x2.add(v128.load(row, 48), f64x2.mul(back, old3)), 48)
    let at = cepstra + 64
    let here0 = v128.load(at)
    let here1 = v128.load(at, 16)
    let here2 = v128.load(at, 32)
    let here3 = v128.load(at, 48)
    let new0 = f64x2.add(f64x2.mul(rest, old0), f64x2.mul(back, here0))
    let new1 = f64x2.add(f64x2.mul(rest, old1), f64x2.mul(back, here1))
    let new2 = f64x2.add(f64x2.mul(rest, old2), f64x2.mul(back, here2))
    let new3 = f64x2.add(f64x2.mul(rest, old3), f64x2.mul(back, here3))
    v128.store(at, new0)
    v128.store(at, new1, 16)
    v128.store(at, new2, 32)
    v128.store(at, new3, 48)
    for (let j = 2; j < RESPONSE; j += 1) {
      old0 = here0
      old1 = here1
      old2 = here2
      old3 = here3
      at += 64
      here0 = v128.load(at)
      here1 = v128.load(at, 16)
      here2 = v128.load(at, 32)
      here3 = v128.load(at, 48)
      new0 = f64x2.add(old0, f64x2.mul(back, f64x2.sub(here0, new0)))
      new1 = f64x2.add(old1, f64x2.mul(back, f64x2.sub(here1, new1)))
      new2 = f64x2.add(old2, f64x2.mul(back, f64x2.sub(here2, new2)))
      new3 = f64x2.add(old3, f64x2.mul(back, f64x2.sub(here3, new3)))
      v128.store(at, new0)
      v128.store(at, new1, 16)
      v128.store(at, new2, 32)
      v128.store(at, new3, 48)
    }
  }
  // To impulse responses.
  const responses = rows + (<usize>(RESPONSE * BATCH) << 4)
  for (let lane = 0; lane < BATCH; lane += 1) {
    const from = cepstra + (<usize>lane << 4)
    const to = responses + (<usize>lane << 4)
    store<f64>(to, exp(load<f64>(from)))
    store<f64>(to, exp(load<f64>(from, 8)), 8)
  }
  for (let k = 1; k < RESPONSE; k += 1) {
    const times = f64x2.splat(<f64>k)
    for (let lane = 0; lane < BATCH; lane += 1) {
      const at = cepstra + (<usize>(k * BATCH + lane) << 4)
      v128.store(at, f64x2.mul(times, v128.load(at)))
    }
  }
  for (let n = 1; n < RESPONSE; n += 1) {
    let sum0 = zero
    let sum1 = zero
    let sum2 = zero
    let sum3 = zero
    let from = cepstra + 64
    let past = responses + (<usize>(n - 1) << 6)
    for (let k = 1; k <= n; k += 1) {
      sum0 = f64x2.add(sum0, f64x2.mul(v128.load(from), v128.load(past)))
      sum1 = f64x2.add(sum1, f64x2.mul(v128.load(from, 16), v128.load(past, 16)))
      sum2 = f64x2.add(sum2, f64x2.mul(v128.load(from, 32), v128.load(past, 32)))
      sum3 = f64x2.add(sum3, f64x2.mul(v128.load(from, 48), v128.load(past, 48)))
      from += 64
      past -= 64
    }
    const by = f64x2.splat(<f64>n)
    const at = responses + (<usize>n << 6)
    v128.store(at, f64x2.div(sum0, by))
    v128.store(at, f64x2.div(sum1, by), 16)
    v128.store(at, f64x2.div(sum2, by), 32)
    v128.store(at, f64x2.div(sum3, by), 48)
  }
  for (let lane = 0; lane < BATCH; lane += 1) {
    let energy = zero
    for (let n = 0; n < RESPONSE; n += 1) {
      const value = v128.load(responses + (<usize>(n * BATCH + lane) << 4))
      energy = f64x2.add(energy, f64x2.mul(value, value))
    }
    v128.store(pairs + (<usize>lane << 4), energy)
  }
}

/** 1 or -1, by the C library's rand(). */
// @ts-ignore: decorator
@inline
function noise(): f64 {
  seed = seed * 6364136223846793005 + 1
  return <i64>seed < 0 ? 1.0 : -1.0
}

// @ts-ignore: decorator
@inline
function pitchPeriod(track: usize, frame: i32, rate: f64): f64 {
  const pitch = <f64>load<f32>(load<usize>(load<usize>(track, TRACK_VALUES) + (<usize>frame << 2)))
  return pitch != 0.0 ? rate / pitch : pitch
}

/** Excites the filters, and writes the samples of all frames but the first, which is where the second begins. */
function play(
  track: usize,
  strengths: usize,
  voice: usize,
  coefficients: usize,
  frames: i32,
  order: i32,
  length: i32,
  output: usize,
): void {
  const rate = <f64>load<i32>(voice, VOICE_RATE)
  const alpha = <f64>load<f32>(voice, VOICE_ALPHA)
  const bands = load<i32>(voice, VOICE_BANDS)
  const taps = load<i32>(voice, VOICE_BAND_TAPS)
  const filters = load<usize>(voice, VOICE_BAND_FILTERS)
  const ownGain = load<f32>(voice, VOICE_GAIN)
  const gain: f64 = rate == 8000.0 ? 2.0 : ownGain != 0.0 ? <f64>ownGain : 1.0
  const stride: usize = (<usize>order + 1) << 3

  const shaping = malloc(<usize>taps << 4)
  // Pulses and noise of the samples before this frame, and of this frame.
  const excitation = malloc(<usize>(taps + length) << 4)
  memory.fill(excitation, 0, <usize>(taps + length) << 4)
  const inputs = malloc(<usize>length << 3)
  const current = malloc(stride)
  const steps = malloc(stride)
  memory.copy(current, coefficients, stride)
  // The stages of the filter, in lanes: 1 and 2, 3 and 4, 5.
  const stages = malloc((<usize>order + 2) * 48)
  memory.fill(stages, 0, (<usize>order + 2) * 48)

  let period = pitchPeriod(track, 0, rate)
  let phase = period
  const rest = 1.0 - alpha * alpha
  const a = f64x2.splat(alpha)
  const aa = f64x2.splat(rest)
  let d1: f64 = 0.0, d2: f64 = 0.0, d3: f64 = 0.0, d4: f64 = 0.0, d5: f64 = 0.0
  let p0: f64 = 0.0, p1: f64 = 0.0, p2: f64 = 0.0, p3: f64 = 0.0, p4: f64 = 0.0
  let q0: f64 = 0.0
  // Of the stages' outputs, the inputs of the next sample.
  let y12 = f64x2.splat(0.0), y34 = f64x2.splat(0.0), y5 = f64x2.splat(0.0)

  for (let frame = 1; frame < frames; frame += 1) {
    const target = coefficients + stride * <usize>frame
    for (let k: usize = 0; k < stride; k += 8) {
      store<f64>(steps + k, (load<f64>(target + k) - load<f64>(current + k)) * 1.0 / <f64>length)
    }
    bandShape(load<usize>(load<usize>(strengths, TRACK_VALUES) + (<usize>frame << 2)), bands, filters, taps, shaping)

    const nextPeriod = pitchPeriod(track, frame, rate)
    let periodStep: f64 = 0.0
    if (period != 0.0 && nextPeriod != 0.0) periodStep = (nextPeriod - period) * 1.0 / <f64>length
    else {
      phase = nextPeriod
      period = 0.0
    }
    const fresh = excitation + (<usize>taps << 4)
    for (let j = 0; j < length; j += 1) {
      let pulse: f64 = 0.0
      if (period != 0.0) {
        phase += 1.0
        if (phase >= period) {
          pulse = sqrt<f64>(period)
          phase = phase - period
        }
      }
      const at = fresh + (<usize>j << 4)
      store<f64>(at, pulse)
      store<f64>(at, noise(), 8)
      period += periodStep
    }
    excite(fresh, shaping, taps, length, inputs)
    // The last pulses and noise are the next frame's past.
    memory.copy(excitation, excitation + (<usize>length << 4), <usize>taps << 4)

    let level = load<f64>(current)
    const levelStep = load<f64>(steps)
    for (let j = 0; j < length; j += 1) {
      let x = load<f64>(inputs + (<usize>j << 3)) * (exp(level) * gain)
      level += levelStep

      // The first coefficient.
      const b1 = load<f64>(current, 8)
      d5 = rest * p4 + alpha * d5
      const o5 = d5 * b1
      d4 = rest * p3 + alpha * d4
      p4 = d4 * b1
      d3 = rest * p2 + alpha * d3
      p3 = d3 * b1
      d2 = rest * p1 + alpha * d2
      p2 = d2 * b1
      d1 = rest * p0 + alpha * d1
      p1 = d1 * b1
      let v = o5 * PADE_5
      x += v
      let out = v
      v = p4 * PADE_4
      x -= v
      out += v
      v = p3 * PADE_3
      x += v
      out += v
      v = p2 * PADE_2
      x -= v
      out += v
      v = p1 * PADE_1
      x += v
      out += v
      p0 = x
      x = out + x

      // The others, each of five stages with the last sample's output of the one before.
      const in12 = f64x2.replace_lane(v128.shuffle<f64>(y12, y12, 0, 0), 0, q0)
      const in34 = v128.shuffle<f64>(y12, y34, 1, 2)
      const in5 = v128.shuffle<f64>(y34, y5, 1, 2)
      let at = stages + 48
      let here12 = v128.load(at)
      let here34 = v128.load(at, 16)
      let here5 = v128.load(at, 32)
      let last12 = f64x2.add(f64x2.mul(aa, in12), f64x2.mul(a, here12))
      let last34 = f64x2.add(f64x2.mul(aa, in34), f64x2.mul(a, here34))
      let last5 = f64x2.add(f64x2.mul(aa, in5), f64x2.mul(a, here5))
      v128.store(at, last12)
      v128.store(at, last34, 16)
      v128.store(at, last5, 32)
      at += 48
      here12 = v128.load(at)
      here34 = v128.load(at, 16)
      here5 = v128.load(at, 32)
      y12 = f64x2.splat(0.0)
      y34 = y12
      y5 = y12
      let coefficient = current + 16
      for (let k = 2; k <= order; k += 1) {
        const next12 = v128.load(at, 48)
        const next34 = v128.load(at, 64)
        const next5 = v128.load(at, 80)
        v128.store(at, last12)
        v128.store(at, last34, 16)
        v128.store(at, last5, 32)
        last12 = f64x2.add(here12, f64x2.mul(a, f64x2.sub(next12, last12)))
        last34 = f64x2.add(here34, f64x2.mul(a, f64x2.sub(next34, last34)))
        last5 = f64x2.add(here5, f64x2.mul(a, f64x2.sub(next5, last5)))
        const b = v128.load_splat<f64>(coefficient)
        y12 = f64x2.add(y12, f64x2.mul(last12, b))
        y34 = f64x2.add(y34, f64x2.mul(last34, b))
        y5 = f64x2.add(y5, f64x2.mul(last5, b))
        here12 = next12
        here34 = next34
        here5 = next5
        at += 48
        coefficient += 8
      }
      v128.store(at, last12)
      v128.store(at, last34, 16)
      v128.store(at, last5, 32)
      v = f64x2.extract_lane(y5, 0) * PADE_5
      x += v
      out = v
      v = f64x2.extract_lane(y34, 1) * PADE_4
      x -= v
      out += v
      v = f64x2.extract_lane(y34, 0) * PADE_3
      x += v
      out += v
      v = f64x2.extract_lane(y12, 1) * PADE_2
      x -= v
      out += v
      v = f64x2.extract_lane(y12, 0) * PADE_1
      x += v
      out += v
      q0 = x
      x = out + x

      store<i16>(output, abs<f64>(x) < 2147483648.0 ? <i32>x : 0)
      output += 2
      for (let k: usize = 0; k < stride; k += 8)
        store<f64>(current + k, load<f64>(current + k) + load<f64>(steps + k))
    }
    period = nextPeriod
    memory.copy(current, target, stride)
  }
  free(stages)
  free(steps)
  free(current)
  free(inputs)
  free(excitation)
  free(shaping)
}

/** The filters of this frame's pulse and noise: the voice's bands by their strengths. */
function bandShape(strengths: usize, bands: i32, filters: usize, taps: i32, shaping: usize): void {
  for (let tap = 0; tap < taps; tap += 1) {
    let pulse: f64 = 0.0
    let noise: f64 = 0.0
    for (let band = 0; band < bands; band += 1) {
      const strength = load<f32>(strengths + (<usize>band << 2))
      const value = load<f64>(load<usize>(filters + (<usize>band << 2)) + (<usize>tap << 3))
      pulse += <f64>strength * value
      noise += <f64>(<f32>1.0 - strength) * value
    }
    store<f64>(shaping + (<usize>tap << 4), pulse)
    store<f64>(shaping + (<usize>tap << 4), noise, 8)
  }
}

/**
 * Shapes pulses and noise, four samples at once while there are four. As in flite, the first tap takes the sample itself, and tap k the
 * one k + 1 samples before.
 */
function excite(fresh: usize, shaping: usize, taps: i32, length: i32, inputs: usize): void {
  const first = v128.load(shaping)
  let j = 0
  for (; j + 4 <= length; j += 4) {
    let sum0 = f64x2.splat(0.0)
    let sum1 = sum0
    let sum2 = sum0
    let sum3 = sum0
    let at = fresh + (<usize>(j - taps) << 4)
    for (let tap = taps - 1; tap > 0; tap -= 1) {
      const shape = v128.load(shaping + (<usize>tap << 4))
      sum0 = f64x2.add(sum0, f64x2.mul(shape, v128.load(at)))
      sum1 = f64x2.add(sum1, f64x2.mul(shape, v128.load(at, 16)))
      sum2 = f64x2.add(sum2, f64x2.mul(shape, v128.load(at, 32)))
      sum3 = f64x2.add(sum3, f64x2.mul(shape, v128.load(at, 48)))
      at += 16
    }
    at += 16
    const to = inputs + (<usize>j << 3)
    store<f64>(to, both(f64x2.add(sum0, f64x2.mul(first, v128.load(at)))))
    store<f64>(to, both(f64x2.add(sum1, f64x2.mul(first, v128.load(at, 16)))), 8)
    store<f64>(to, both(f64x2.add(sum2, f64x2.mul(first, v128.load(at, 32)))), 16)
    store<f64>(to, both(f64x2.add(sum3, f64x2.mul(first, v128.load(at, 48)))), 24)
  }
  for (; j < length; j += 1) {
    let sum = f64x2.splat(0.0)
    let at = fresh + (<usize>(j - taps) << 4)
    for (let tap = taps - 1; tap > 0; tap -= 1) {
      sum = f64x2.add(sum, f64x2.mul(v128.load(shaping + (<usize>tap << 4)), v128.load(at)))
      at += 16
    }
    store<f64>(inputs + (<usize>j << 3), both(f64x2.add(sum, f64x2.mul(first, v128.load(at, 16)))))
  }
}

// @ts-ignore: decorator
@inline
function both(sum: v128): f64 {
  return f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1)
}
