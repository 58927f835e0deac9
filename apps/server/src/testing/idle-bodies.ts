import { once } from 'node:events'
import { connect as connectTcp } from 'node:net'
import { connect, type TLSSocket } from 'node:tls'

// A program that does what a stranger may: node idle-bodies.js https://demo.example. From sixteen addresses of this machine, in four
// networks, it opens a hundred connections each, one after the other, and announces bodies that do not come. Then it asks for the page
// from another address, ten times, each on a connection of its own. It prints what was answered, one line each.

const [origin = ''] = process.argv.slice(2)
const { hostname: host } = new URL(origin)
const NETWORKS = [1, 2, 3, 4]
const ADDRESSES = [10, 11, 12, 13]
const OF_EACH = 100
const PAGES = 10

const held: TLSSocket[] = []
for (const network of NETWORKS)
  for (const address of ADDRESSES)
    for (let n = 0; n < OF_EACH; n++) {
      const socket = await opened(`127.${network}.0.${address}`)
      socket?.write(`POST /default HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 100000\r\n\r\na`)
    }
for (let n = 0; n < PAGES; n++) console.log(await statusOfPage())
for (const socket of held) socket.destroy()

/** A connection from this address; undefined where it is refused. */
async function opened(localAddress: string): Promise<TLSSocket | undefined> {
  // Names and certificates are another test's.
  const tcp = connectTcp({ host, port: 443, localAddress })
  const socket = connect({ socket: tcp, servername: host, rejectUnauthorized: false })
  socket.on('error', () => {})
  held.push(socket)
  await new Promise<void>((resolve) => {
    socket.once('secureConnect', resolve).once('close', () => resolve())
  })
  return socket.destroyed ? undefined : socket
}

/** Such as `200`, or `none` where the connection ends without an answer. */
async function statusOfPage(): Promise<string> {
  const socket = await opened('127.9.0.1')
  socket?.write(`GET /default HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
  let answer = ''
  socket?.on('data', (data: Buffer) => {
    answer += data.toString('latin1')
  })
  if (socket && !socket.destroyed) await once(socket, 'close')
  return answer.split(' ')[1] ?? 'none'
}
