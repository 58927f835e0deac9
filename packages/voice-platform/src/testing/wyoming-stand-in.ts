import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { WyomingReader, wyomingBytes } from '../engines/wyoming/wyoming-event.js'
import type { StreamingFault } from './streaming-script.js'
import { toneFor } from './streaming-speakers.js'

export interface WyomingStandIn {
  /** `tcp://…` */
  url: string
  script: { transcript: string; fault: StreamingFault | undefined }
  /** The types of the events that came, in order, and the bytes of audio. */
  events: string[]
  audioBytes: number
  close(): Promise<void>
}

/** A Wyoming server for tests, on the loopback interface: transcribes and speaks. */
export async function startWyomingStandIn(): Promise<WyomingStandIn> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    const reader = new WyomingReader()
    socket.on('data', (piece: Buffer) => {
      if (standIn.script.fault === 'cut') socket.destroy()
      else if (standIn.script.fault === 'garbage') socket.end('%§!\n')
      else if (standIn.script.fault !== 'silent')
        for (const { type, data, payload } of reader.read(piece)) {
          standIn.events.push(type)
          standIn.audioBytes += payload.length
          if (standIn.script.fault === 'error') socket.write(wyomingBytes('error', { text: 'no' }))
          else if (type === 'audio-stop')
            socket.write(lateData('transcript', { text: standIn.script.transcript }))
          else if (type === 'synthesize') speak(socket, String(data.text))
        }
    })
  })
  const standIn: WyomingStandIn = {
    url: '',
    script: { transcript: 'What does it cost?', fault: undefined },
    events: [],
    audioBytes: 0,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  standIn.url = `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`
  return standIn
}

function speak(socket: Socket, text: string): void {
  const format = { rate: 16_000, width: 2, channels: 1 }
  socket.write(wyomingBytes('audio-start', format))
  const bytes = Buffer.concat(toneFor(text))
  for (let at = 0; at < bytes.length; at += 2048)
    socket.write(wyomingBytes('audio-chunk', format, bytes.subarray(at, at + 2048)))
  socket.write(wyomingBytes('audio-stop'))
}

/** The data behind the header, as the Python library of the protocol sends it. */
function lateData(type: string, data: object): Buffer {
  const bytes = Buffer.from(JSON.stringify(data))
  return Buffer.concat([
    Buffer.from(`${JSON.stringify({ type, version: '1.8.0', data_length: bytes.length })}\n`),
    bytes,
  ])
}
