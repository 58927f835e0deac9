import { networkInterfaces } from 'node:os'
import { StartedServer } from './started-server.js'
import { WireCall } from './wire-call.js'

// A program: starts a server, holds one call with it, and prints what the machine's interfaces and the call were like.
const server = await StartedServer.start()
try {
  const call = await WireCall.join(server, { firstMessage: 'Hello, we are open from nine to five.' })
  await call.until('the greeting is heard', () => call.audioBytes > 32_000)
  const page = await fetch(`${server.url}/default`)
  call.socket.send('{"type":"hangup"}')
  const { code } = await call.closed
  console.log(
    JSON.stringify({
      interfaces: Object.keys(networkInterfaces()),
      page: page.status,
      code,
      errors: server.errors,
    }),
  )
} finally {
  await server.stop()
}
