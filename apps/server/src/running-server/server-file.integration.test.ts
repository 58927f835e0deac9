import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { findRunningServer, writeServerFile } from './server-file.js'
import { newProofKey, proofOf } from './server-proof.js'

const ON_POSTGRES = 'postgres 0123456789abcdef'
/** Nothing listens there. */
const NOWHERE = 'http://127.0.0.1:2'
/** No process has such an id. */
const NOBODY = 2 ** 30

let directory: string
const servers: Server[] = []
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'heyline-server-file-'))
})
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections()
  rmSync(directory, { recursive: true })
})

async function listening(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
/** A server that proves itself, with what it would write. */
async function running(database = ON_POSTGRES, ready = true) {
  const proofKey = newProofKey()
  const url = await listening((request, response) => {
    const nonce = new URL(request.url ?? '', 'http://here').searchParams.get('nonce') ?? ''
    response.writeHead(ready ? 200 : 503).end(JSON.stringify({ ready, proof: proofOf(proofKey, nonce) }))
  })
  return { url, pid: process.pid, database, proofKey }
}
const dead = (others: object = {}) => ({
  url: NOWHERE,
  pid: process.pid,
  database: ON_POSTGRES,
  proofKey: newProofKey(),
  ...others,
})
const leave = (name: string, contents: unknown) =>
  writeFileSync(join(directory, name), typeof contents === 'string' ? contents : JSON.stringify(contents))
const names = () => readdirSync(directory).sort()
const find = async (database?: string) => (await findRunningServer(directory, database))?.url

it('has the name server.json for one server, closed to others, and goes with it', async () => {
  const server = await running()
  const remove = await writeServerFile(directory, server)
  expect(names()).toEqual(['server.json'])
  expect(statSync(join(directory, 'server.json')).mode & 0o777).toBe(0o600)
  const { url, pid, database } = server
  expect(await findRunningServer(directory)).toEqual({ url, pid, database })
  remove()
  expect(names()).toEqual([])
  expect(await find()).toBeUndefined()
})

it('is one for each of several servers, and each removes its own', async () => {
  const [first, second, third] = [await running(), await running(), await running()]
  const removeFirst = await writeServerFile(directory, first)
  const removeSecond = await writeServerFile(directory, second)
  expect(names()).toEqual([expect.stringMatching(/^server-[0-9a-f]{8}\.json$/), 'server.json'])
  expect(JSON.parse(readFileSync(join(directory, 'server.json'), 'utf8')).url).toBe(first.url)
  expect(await find()).toBe(first.url)
  removeFirst()
  expect(await find()).toBe(second.url)
  const removeThird = await writeServerFile(directory, third)
  expect(names()).toHaveLength(2)
  removeFirst()
  removeThird()
  expect(await find()).toBe(second.url)
  removeSecond()
  expect(names()).toEqual([])
})

it('is one for each of those that start at once', async () => {
  leave('server.json', dead())
  const starting = await Promise.all(Array.from({ length: 5 }, () => running()))
  const removers = await Promise.all(starting.map((server) => writeServerFile(directory, server)))
  const written = names().map((name) => JSON.parse(readFileSync(join(directory, name), 'utf8')).url)
  expect(written.sort()).toEqual(starting.map(({ url }) => url).sort())
  for (const remove of removers) remove()
  expect(names()).toEqual([])
})

it('leads to a server that lives, on the database that is asked for, and ready if one is', async () => {
  const stopping = await running(ON_POSTGRES, false)
  const ready = await running()
  const elsewhere = await running('pglite')
  for (const server of [stopping, elsewhere, ready]) await writeServerFile(directory, server)
  leave('server-00000000.json', dead())
  leave('server-00000001.json', 'no JSON')
  expect(await find(ON_POSTGRES)).toBe(ready.url)
  expect(await find('pglite')).toBe(elsewhere.url)
  // Who asks is told that the others use another database.
  expect(await find('postgres of somebody else')).toBeDefined()
})

it('of a dead server is taken away by the next one', async () => {
  const stranger = await listening((_, response) => {
    response.end(JSON.stringify({ ready: true, proof: 'a guess' }))
  })
  const silent = await listening((_, response) => void response.destroy())
  leave('server.json', dead())
  leave('server-00000001.json', dead({ url: stranger }))
  leave('server-00000002.json', dead({ url: silent, pid: NOBODY }))
  leave('server-00000003.json', 'half of a fi')
  await writeServerFile(directory, await running())
  expect(names()).toEqual(['server.json'])
})

it('of a server that may live is left alone', async () => {
  const slow = await listening((_, response) => void response.destroy())
  leave('server.json', dead({ url: slow }))
  leave('server-00000001.json', dead({ host: `not-${hostname()}` }))
  leave('server-00000002.json', dead({ host: `not-${hostname()}` }))
  utimesSync(join(directory, 'server-00000002.json'), 0, 0)
  await writeServerFile(directory, await running())
  expect(names()).toHaveLength(3)
  expect(names()).toEqual(expect.arrayContaining(['server-00000001.json', 'server.json']))
  expect(names()).not.toContain('server-00000002.json')
})

it('is the only one of a PGlite, which is one process’s alone', async () => {
  const slow = await listening((_, response) => void response.destroy())
  leave('server.json', dead({ url: slow, database: 'pglite', host: `not-${hostname()}` }))
  await writeServerFile(directory, await running('pglite'))
  expect(names()).toEqual(['server.json'])
})
