import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'

const HEAD_BYTES = 12
const TYPES = { A: 1, AAAA: 28 } as const
const UNKNOWN_NAME = 3

/** A name server on this machine. It stays silent about names whose addresses are `silent`, and knows no others than those given. */
export async function openNameServer(names: Readonly<Record<string, readonly string[] | 'silent'>>) {
  const socket = createSocket('udp4')
  const asked: string[] = []
  socket.on('message', (question, { port, address }) => {
    const { name, end } = nameIn(question)
    asked.push(name)
    const known = names[name]
    if (known === 'silent') return
    const type = question.readUInt16BE(end)
    const records = (known ?? [])
      .filter((one) => type === (isIPv4(one) ? TYPES.A : TYPES.AAAA))
      .map((one) => recordOf(type, ipaddr.parse(one).toByteArray()))
    const head = Buffer.from(question.subarray(0, HEAD_BYTES))
    head.writeUInt16BE(0x8180 | (known ? 0 : UNKNOWN_NAME), 2)
    head.writeUInt16BE(1, 4)
    head.writeUInt16BE(records.length, 6)
    head.writeUInt32BE(0, 8)
    socket.send(Buffer.concat([head, question.subarray(HEAD_BYTES, end + 4), ...records]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    /** The name in each question, in their order: one for IPv4 and one for IPv6. */
    asked,
    server: `127.0.0.1:${socket.address().port}`,
    async close() {
      socket.close()
      await once(socket, 'close')
    },
  }
}

function nameIn(question: Buffer) {
  const labels: string[] = []
  let at = HEAD_BYTES
  for (let length = question.readUInt8(at); length > 0; length = question.readUInt8(at)) {
    labels.push(question.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 }
}

/** It may be kept for no time. */
function recordOf(type: number, address: readonly number[]): Buffer {
  const head = Buffer.alloc(HEAD_BYTES)
  head.writeUInt16BE(0xc000 | HEAD_BYTES, 0)
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(address.length, 10)
  return Buffer.concat([head, Buffer.from(address)])
}
