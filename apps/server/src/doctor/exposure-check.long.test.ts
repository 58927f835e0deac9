import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate, openPglite } from '@heyline/database'
import { pino } from 'pino'
import { afterAll, expect, it } from 'vitest'
import { SQL_FOLDER } from '../database/open-db.js'
import { examine } from './doctor.js'

const data = mkdtempSync(join(tmpdir(), 'heyline-exposures-'))
afterAll(() => rmSync(data, { recursive: true, force: true }))

/** What is said of a database with every migration, after this SQL. */
async function examinedAfter(sql: string) {
  const db = await openPglite({ directory: join(data, 'pglite'), logger: pino({ level: 'silent' }) })
  await migrate(db, { folder: SQL_FOLDER })
  await db.exec(sql)
  await db.close()
  const findings = await examine({ PORT: '0', DATA_DIR: data })
  return findings.filter(({ check }) => check === 'visitor access')
}

it('names what the public key reaches beyond a visitor, and how to mend it', async () => {
  expect(
    await examinedAfter(
      'create view public.everybody as select slug from public.visitors; grant select on public.everybody to anon',
    ),
  ).toEqual([
    {
      check: 'visitor access',
      status: 'warn',
      message: 'grant beyond reading visitors: public.everybody: select (anon)',
      mend: expect.stringMatching(/^revoke all on it/),
    },
    {
      check: 'visitor access',
      status: 'warn',
      message: "view with its owner's rights: public.everybody (anon)",
      mend: expect.stringMatching(/security_invoker/),
    },
  ])
  expect(await examinedAfter('drop view public.everybody')).toEqual([])
}, 60_000)
