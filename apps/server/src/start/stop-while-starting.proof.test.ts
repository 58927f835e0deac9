import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { spawnHeyline, testDirectory } from '../testing/heyline-command.js'

const { path: directory, remove } = testDirectory()
afterAll(remove)

/** Said while the parts open: calls may be placed already, and nothing is answered yet. */
const HALFWAY = 'metrics have a port of their own'

it.each(['SIGTERM', 'SIGINT'] as const)('closes in order after %s while its parts open', async (signal) => {
  const data = join(directory, signal)
  const child = spawnHeyline(['start'], { PORT: '0', METRICS_PORT: '0', DATA_DIR: data })
  const exited = once(child, 'exit')
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      if (!said.includes(HALFWAY) && (said + text).includes(HALFWAY)) child.kill(signal)
      said += text
    })
  expect(await exited, said).toEqual([0, null])
  expect(existsSync(join(data, 'pglite', 'lock'))).toBe(false)
  expect(existsSync(join(data, 'server.json'))).toBe(false)
})
