import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { environment, SETTING_GROUPS } from './environment.js'
import { envExample, settingsPage } from './settings-docs.js'

const inRepository = (path: string) => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8')

it.each([
  ['.env.example', envExample()],
  ['docs/settings.md', settingsPage()],
])('%s is what the settings say: npm run docs:settings', (path, text) => {
  expect(inRepository(path)).toBe(text)
})

it('has every setting that is read in one group', () => {
  const grouped = SETTING_GROUPS.flatMap(({ settings }) => Object.keys(settings))
  expect(grouped.toSorted()).toEqual(Object.keys(environment.shape).toSorted())
})
