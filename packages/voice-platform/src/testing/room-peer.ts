import { type AppMessage, bytesOf, parseServerText, roomText, samplesOf } from '@heyline/room-protocol'
import type { WebSocket } from 'ws'
import { joined, type LinkPeer } from '../link/link.contract.js'

/** A `room.v1` client whose loudspeaker plays only when told to. */
export function roomPeer(client: WebSocket): LinkPeer & { clears: number } {
  const heard: Int16Array[] = []
  const messages: AppMessage[] = []
  let marks: number[] = []
  const peer = {
    clears: 0,
    ended: new Promise<void>((resolve) => client.once('close', () => resolve())),
    sendAudio: (samples: Int16Array) => client.send(bytesOf(samples)),
    heardAudio: () => joined(heard),
    async playAll() {
      for (const id of marks) client.send(roomText({ type: 'room.played', id }))
      marks = []
    },
    press: (key: string) => client.send(roomText({ type: 'room.key', key })),
    hangUp: () => client.send(roomText({ type: 'room.leave' })),
    drop: () => client.terminate(),
    sendMessage: (message: AppMessage) => client.send(JSON.stringify(message)),
    messages: () => messages,
  }
  client.on('message', (data: Buffer, isBinary: boolean) => {
    if (isBinary) return void heard.push(samplesOf(data))
    const parsed = parseServerText(data.toString('utf8'))
    if (parsed.kind === 'app') messages.push(parsed.message)
    if (parsed.kind !== 'room') return
    if (parsed.message.type === 'room.mark') marks.push(parsed.message.id)
    if (parsed.message.type === 'room.clear') {
      peer.clears++
      marks = []
      client.send(roomText({ type: 'room.cleared', id: parsed.message.id, playedMs: 0 }))
    }
  })
  return peer
}
