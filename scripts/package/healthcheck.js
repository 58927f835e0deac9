// A container's health check: ends with 0 if the server of these settings answers, else with 1 and a line that says why. It loads nothing else,
// since it runs again and again.
import { get } from 'node:http'

const PATIENCE_MS = 4_000
const { HOST = '', PORT = '' } = process.env
/** Whoever listens on all addresses is reached on its own machine's. */
const hostname = { '': '127.0.0.1', '0.0.0.0': '127.0.0.1', '::': '::1' }[HOST] ?? HOST
const port = Number(PORT || 3000)

get({ hostname, port, path: '/-/live', timeout: PATIENCE_MS }, (answer) => {
  answer.resume()
  if (answer.statusCode !== 200) fail(`it answers ${answer.statusCode}`)
})
  .on('timeout', () => fail(`it does not answer within ${PATIENCE_MS / 1000} s`))
  .on('error', ({ message }) => fail(message))

function fail(why) {
  console.error(`Heyline is not well at ${hostname}:${port}: ${why}`)
  process.exit(1)
}
