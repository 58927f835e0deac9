import { expect, it } from 'vitest'
import { ThemeChoice, type ThemeWindow } from './theme.js'

function browser(kept: Record<string, string> = {}) {
  const values = new Map(Object.entries(kept))
  const root: Pick<HTMLElement, 'dataset'> = { dataset: {} }
  const localStorage = {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  }
  const window: ThemeWindow = { localStorage, document: { documentElement: root } }
  return { window, values, root }
}

it('keeps a choice, and shows it at once', () => {
  const { window, values, root } = browser()
  const theme = new ThemeChoice(window)
  expect(theme.get()).toBe('system')
  theme.choose('dark')
  expect([theme.get(), values.get('heyline-theme'), root.dataset.theme]).toEqual(['dark', 'dark', 'dark'])
  expect(new ThemeChoice(window).get()).toBe('dark')
})

it('stores nothing for who follows the device', () => {
  const { window, values, root } = browser({ 'heyline-theme': 'light' })
  const theme = new ThemeChoice(window)
  theme.choose('system')
  expect([theme.get(), values.size, root.dataset]).toEqual(['system', 0, {}])
})

it('follows the device where something else is kept', () => {
  expect(new ThemeChoice(browser({ 'heyline-theme': 'purple' }).window).get()).toBe('system')
})
