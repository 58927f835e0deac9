import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createCluster } from './create-cluster.js'
import { templateFile } from './template-file.js'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'heyline-cluster-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

/** Every file, but for those whose names differ from one initdb to the next. */
const files = (): string[] =>
  readdirSync(join(directory, 'pgdata'), { recursive: true, encoding: 'utf8' })
    .filter((path) => !path.startsWith('pg_wal'))
    .sort()

it('makes the same database out of the template as without one', async () => {
  await createCluster(directory, templateFile())
  const unpacked = files()
  expect(readFileSync(join(directory, 'pgdata', 'PG_VERSION'), 'utf8')).toBe('18\n')
  rmSync(join(directory, 'pgdata'), { recursive: true })
  await createCluster(directory, join(directory, 'no-such-template'))
  expect(files()).toEqual(unpacked)
})

it('makes the database without the template where that is damaged, and says so', async () => {
  const damaged = join(directory, 'template')
  copyFileSync(templateFile(), damaged)
  truncateSync(damaged, statSync(damaged).size - 1000)
  expect(await createCluster(directory, damaged)).toContain(damaged)
  const made = files()
  rmSync(join(directory, 'pgdata'), { recursive: true })
  expect(await createCluster(directory, templateFile())).toBeUndefined()
  expect(made).toEqual(files())
})
