import type { Clock } from '@heyline/kit/clock'
import type { Logger } from 'pino'
import type { RawData, WebSocket } from 'ws'
import { guarded } from '../../sockets/guarded.js'
import { readFrame, type StreamStart } from './twilio-frame.js'

/** A stream that sends no `start` frame is closed after this time, in milliseconds. */
const START_WAIT_MS = 10_000

export interface StreamOptions {
  clock: Clock
  logger: Logger
  /** Takes the stream, or refuses it now or later and says why. Called at most once. */
  accept(start: StreamStart, refuse: (why: string) => void): void
}

/** Waits for a stream's `start` frame and hands it to `accept`. Anything else before it closes the socket. */
export function awaitStart(socket: WebSocket, { clock, logger, accept }: StreamOptions): void {
  const settle = () => {
    callOff()
    socket.off('message', receive)
    socket.off('close', settle)
  }
  const refuse = (code: number, why: string) => {
    settle()
    logger.warn(`twilio stream refused: ${why}`)
    socket.close(code)
  }
  const read = (data: RawData, isBinary: boolean) => {
    const frame = readFrame(data, isBinary)
    if (frame.event === 'connected' || frame.event === 'other') return
    if (frame.event === 'refused') return refuse(frame.code, frame.why)
    if (frame.event !== 'start') return refuse(1008, `a ${frame.event} frame came before start`)
    const { encoding, sampleRate, channels } = frame.start.mediaFormat
    if (encoding !== 'audio/x-mulaw' || sampleRate !== 8000 || channels !== 1)
      return refuse(1003, 'its audio is not mono mu-law at 8 kHz')
    settle()
    accept(frame.start, (why) => refuse(1008, why))
  }
  const fail = () => {
    settle()
    socket.close(1011)
  }
  const receive = guarded(read, { logger, fail })
  const callOff = clock.after(START_WAIT_MS, () => refuse(1008, 'no start frame came'))
  socket.on('message', receive)
  socket.on('close', settle)
}
