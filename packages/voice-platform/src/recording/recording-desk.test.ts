import { describe, expect, it } from 'vitest'
import { mendRecording } from './mend-recording.js'
import { readOggPage } from './ogg-page.js'
import { RecordingDesk } from './recording-desk.js'
import type { GrowingFile, RecordingDisk } from './recording-disk.js'
import type { RecordingAnswer } from './recording-messages.js'
import { LEFT_FREE_BYTES } from './recording-writer.js'

const CALL = '11111111-2222-4333-8444-555555555555'

/** A disk in memory that is full after so many bytes. */
function memoryDisk(most = Number.POSITIVE_INFINITY) {
  const files = new Map<string, Buffer>()
  const state = { free: LEFT_FREE_BYTES * 2, most }
  const open = (name: string): GrowingFile => {
    const bytes = () => files.get(name) ?? Buffer.alloc(0)
    files.set(name, bytes())
    return {
      get length() {
        return bytes().length
      },
      append(added) {
        const room = state.most - [...files.values()].reduce((sum, { length }) => sum + length, 0)
        // As a disk does: what fits is there.
        files.set(name, Buffer.concat([bytes(), added.subarray(0, Math.max(0, room))]))
        if (added.length > room)
          throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
      },
      replace(written, at) {
        const changed = Buffer.from(bytes())
        changed.set(written, at)
        files.set(name, changed)
      },
      read: (at, length) => bytes().subarray(at, at + length),
      cut: (length) => files.set(name, bytes().subarray(0, length)),
      close() {},
    }
  }
  const disk: RecordingDisk = {
    open,
    lengthOf: (name) => files.get(name)?.length,
    remove: (name) => files.delete(name),
    freeBytes: () => state.free,
  }
  return { disk, files, state }
}

function setUp({ disk }: { disk: RecordingDisk }) {
  const answers: RecordingAnswer[] = []
  const desk = new RecordingDesk({ diskOf: () => disk, answer: (answer) => answers.push(answer) })
  const second = () => Int16Array.from({ length: 32_000 }, (_, n) => 4_000 * Math.sin(n / 7))
  return {
    answers,
    desk,
    begin: (format: 'ogg' | 'wav') => desk.take({ type: 'begin', callId: CALL, folder: '', format }),
    record: (seconds: number) => {
      for (let n = 0; n < seconds; n += 1) desk.take({ type: 'sound', callId: CALL, samples: second() })
    },
    end: async () => {
      desk.take({ type: 'end', callId: CALL })
      await desk.idle()
    },
  }
}

describe('the desk that writes recordings', () => {
  it('writes WAV of two channels and of one, with its length in the header', async () => {
    const memory = memoryDisk()
    const { answers, begin, record, end } = setUp(memory)
    begin('wav')
    record(2)
    await end()
    expect(answers.at(-1)).toEqual({
      ...{ type: 'ended', callId: CALL, failure: undefined },
      size: { seconds: 2, stereoBytes: 44 + 128_000, monoBytes: 44 + 64_000 },
    })
    const stereo = memory.files.get(`${CALL}.stereo.wav`)
    expect([stereo?.readUInt32LE(4), stereo?.readUInt16LE(22), stereo?.readUInt32LE(40)]).toEqual([
      128_036, 2, 128_000,
    ])
    const mono = memory.files.get(`${CALL}.mono.wav`)
    expect(mono?.readUInt16LE(22)).toBe(1)
    const [left = 0, right = 0] = [stereo?.readInt16LE(44), stereo?.readInt16LE(46)]
    expect(mono?.readInt16LE(44)).toBe(left + right)
  })

  it.each(['ogg', 'wav'] as const)(
    'keeps what was written as %s before the disk was full',
    async (format) => {
      const memory = memoryDisk(format === 'ogg' ? 40_000 : 500_000)
      const { answers, begin, record, end } = setUp(memory)
      begin(format)
      record(8)
      await end()
      const ended = answers.filter(({ type }) => type === 'ended')
      expect(ended).toMatchObject([{ failure: 'ENOSPC: no space left on device, write' }])
      const size = ended[0]?.type === 'ended' ? ended[0].size : undefined
      expect(size?.seconds).toBeGreaterThan(1)
      expect(size?.stereoBytes).toBe(memory.files.get(`${CALL}.stereo.${format}`)?.length)
    },
  )

  it('begins none on a disk that is almost full', async () => {
    const memory = memoryDisk()
    memory.state.free = LEFT_FREE_BYTES - 1
    const { answers, begin, end } = setUp(memory)
    begin('ogg')
    await end()
    expect(answers).toMatchObject([
      { type: 'ended', failure: 'the disk has less than 256 MB left', size: undefined },
    ])
    expect(memory.files.size).toBe(0)
  })

  it('completes what a killed process has left, up to its last whole page', async () => {
    const memory = memoryDisk()
    const { begin, desk, record } = setUp(memory)
    begin('ogg')
    record(3)
    await desk.idle()
    for (const [name, bytes] of memory.files) memory.files.set(name, bytes.subarray(0, -100))
    // The last page, of the last 0.2 s at least, is gone.
    const size = mendRecording(memory.disk, CALL, 'ogg')
    expect(size?.seconds).toBeGreaterThan(2)
    expect(size?.seconds).toBeLessThan(3)
    for (const bytes of memory.files.values()) {
      const pages = [0]
      for (let at = 0; at < bytes.length; at += readOggPage(bytes, at)?.length ?? Number.POSITIVE_INFINITY)
        pages.push(at)
      expect(readOggPage(bytes, pages.at(-1) ?? 0)?.flags).toBe(4)
    }
    expect(mendRecording(memory.disk, CALL, 'ogg')).toEqual(size)
  })

  it('completes a WAV file to whole samples, and finds nothing where there is nothing', async () => {
    const memory = memoryDisk()
    const { begin, desk, record } = setUp(memory)
    begin('wav')
    record(1)
    await desk.idle()
    for (const [name, bytes] of memory.files) memory.files.set(name, bytes.subarray(0, -3))
    expect(mendRecording(memory.disk, CALL, 'wav')).toEqual({
      ...{ seconds: 1 - 1 / 16_000, stereoBytes: 44 + 63_996, monoBytes: 44 + 31_996 },
    })
    expect(memory.files.get(`${CALL}.mono.wav`)?.readUInt32LE(40)).toBe(31_996)
    expect(mendRecording(memoryDisk().disk, CALL, 'wav')).toBeUndefined()
  })
})
