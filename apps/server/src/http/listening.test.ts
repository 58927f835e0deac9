import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { listen } from './listening.js'

it('answers requests that came before it was ready', async () => {
  const listening = await listen(0, '127.0.0.1')
  const early = fetch(`http://127.0.0.1:${listening.port}/early`)
  listening.serve((request, response) => response.end(`served ${request.url}`))
  expect(await (await early).text()).toBe('served /early')
  await listening.close()
})

it('closes although a client keeps its connection open', async () => {
  const listening = await listen(0, '127.0.0.1')
  const client = connect({ port: listening.port, host: '127.0.0.1', allowHalfOpen: true })
  await new Promise<void>((resolve) => client.once('connect', resolve))
  const gone = new Promise<void>((resolve) => client.once('close', () => resolve()))
  client.on('error', () => {})
  await listening.close()
  client.end()
  await gone
})

it('says what to do about a port that is in use', async () => {
  const listening = await listen(0, '127.0.0.1')
  await expect(listen(listening.port, '127.0.0.1')).rejects.toThrow(
    /^PORT: \d+ is in use on 127\.0\.0\.1: stop/,
  )
  await listening.close()
})
