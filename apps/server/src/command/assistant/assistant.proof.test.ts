import { join } from 'node:path'
import { createOfficeClient } from '@heyline/back-office/client'
import { pino } from 'pino'
import { afterAll, expect, it, vi } from 'vitest'
import { readSettings } from '../../settings/settings.js'
import { startHeyline } from '../../start/heyline.js'
import { runHeyline, testDirectory } from '../../testing/heyline-command.js'
import { readServerKeys } from '../../testing/server-keys.js'

vi.setConfig({ testTimeout: 120_000 })

const { path: directory, remove } = testDirectory()
const data = join(directory, 'data')
afterAll(remove)

const heyline = (...words: string[]) => runHeyline(['assistant', ...words], { DATA_DIR: data })

it('shows what the assistant was and goes back, with a server running and with none', async () => {
  const settings = readSettings({ PORT: '0', DATA_DIR: data })
  const server = await startHeyline({ settings, logger: pino({ level: 'silent' }) })
  const { secret } = readServerKeys(data)
  const office = createOfficeClient({ url: server.url, headers: { authorization: `Bearer ${secret}` } })
  await office.assistant.update({ name: 'Ada' })
  await office.assistant.setLimits({ maxDurationSeconds: 120 })

  expect((await heyline('versions')).out).toMatch(
    /^3 {2}\S+ \S+ {2}now {2}maxDurationSeconds\n2 {2}\S+ \S+ {7}name\n1 {2}\S+ \S+\n$/,
  )
  const shown = await heyline('versions', '2')
  expect(shown.out).toContain('what changed with it\n  name\n    - Demo assistant\n    + Ada\n')
  expect(shown.out).toContain('what is different from now\n  maxDurationSeconds\n    - 120\n    + 600\n')
  expect(await heyline('restore', '1')).toMatchObject({
    code: 0,
    out: 'The assistant is what it was in version 1: changed name, maxDurationSeconds. Back with heyline assistant restore 3\n',
  })
  expect(await office.assistant.show()).toMatchObject({
    name: 'Demo assistant',
    limits: { maxDurationSeconds: 600 },
  })
  const { lines } = await office.installation.audit({ action: 'assistant_restored' })
  expect(lines[0]?.detail).toEqual({ version: '1', changed: ['name', 'maxDurationSeconds'] })
  const unknown = await heyline('restore', '9')
  expect(unknown).toMatchObject({ code: 1, err: expect.stringContaining('The assistant has no version 9') })
  await server.close()

  expect(JSON.parse((await heyline('restore', '2', '--json')).out)).toMatchObject({
    assistant: { name: 'Ada' },
    changed: ['name'],
  })
  const versions = JSON.parse((await heyline('versions', '--json')).out)
  expect(versions[0]).toMatchObject({ version: '5', isNow: true, changed: ['name'] })
})
