import { createSocket, type Socket } from 'node:dgram'
import { isIP } from 'node:net'

/** A UDP socket on an address of this machine; on port 0 any that is free. Rejects where it is taken, or not of this machine. */
export async function bindSocket(host: string, port: number): Promise<Socket> {
  const socket = createSocket(isIP(host) === 6 ? 'udp6' : 'udp4')
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject)
      socket.bind(port, host, () => {
        socket.off('error', reject)
        resolve()
      })
    })
    return socket
  } catch (error) {
    socket.close()
    throw error
  }
}
