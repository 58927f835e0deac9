import { rm } from 'node:fs/promises'
import { PGlite } from '@electric-sql/pglite'
import { expect, it, vi } from 'vitest'
import { createTestDirectory } from '../testing/test-directory.js'
import { assertDurable, openCluster } from './cluster.js'
import { Pulse } from './pulse.js'

it('refuses a PGlite whose commits are not synced', async () => {
  const inMemory = await PGlite.create()
  await expect(assertDurable(inMemory, { syncs: 3 })).rejects.toMatchObject({
    code: 'not_durable',
    message: expect.stringContaining('without fsync'),
  })
  expect(inMemory.closed).toBe(true)
})

/** Too much to sort in memory: it goes to a temporary file. */
const SPILLING =
  "set work_mem = '64kB'; select from (select md5(g::text) from generate_series(1, 20000) g order by 1 offset 19999) as spilled"

it('tells the pulse what goes to the log, and nothing else', async () => {
  const directory = await createTestDirectory()
  const pulse = new Pulse()
  const { pglite } = await openCluster(directory, pulse)
  await pglite.exec('create table kept (text text)')
  const write = vi.spyOn(pulse, 'write')
  const toLog = (): boolean[] => [...new Set(write.mock.calls.map(([, log]) => log))]
  pulse.begin(1)
  await pglite.exec(SPILLING)
  expect([toLog(), pulse.logged]).toEqual([[false], 0])
  write.mockClear()
  await pglite.exec("insert into kept values ('here')")
  expect(toLog()).toContain(true)
  expect(pulse.logged).toBe(1)
  await pglite.close()
  await rm(directory, { recursive: true })
})
