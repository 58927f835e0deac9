import { expect, it } from 'vitest'
import { type KeyPress, Shortcuts } from './shortcuts.js'

const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  isTyping: false,
  at: 0,
  ...more,
})

it('goes to a place by g and its key', () => {
  const shortcuts = new Shortcuts(['v', 'c'])
  expect(shortcuts.press(press('g'))).toBeUndefined()
  expect(shortcuts.press(press('c', { at: 1500 }))).toEqual({ go: 'c' })
  expect(shortcuts.press(press('c', { at: 1600 }))).toBeUndefined()
})

it('forgets the g after a while, and after another key', () => {
  const shortcuts = new Shortcuts(['v'])
  shortcuts.press(press('g'))
  expect(shortcuts.press(press('v', { at: 1501 }))).toBeUndefined()
  shortcuts.press(press('g'))
  shortcuts.press(press('x'))
  expect(shortcuts.press(press('v'))).toBeUndefined()
})

it.each([
  ['/', 'search'],
  ['?', 'help'],
])('%s means %s', (key, action) => expect(new Shortcuts([]).press(press(key))).toBe(action))

it('leaves single keys to who types, and to who turned them off', () => {
  const shortcuts = new Shortcuts(['v'])
  expect(shortcuts.press(press('?', { isTyping: true }))).toBeUndefined()
  shortcuts.areSingleKeysOn = false
  expect(shortcuts.press(press('?'))).toBeUndefined()
  shortcuts.press(press('g'))
  expect(shortcuts.press(press('v'))).toBeUndefined()
})

it.each([{ ctrlKey: true }, { metaKey: true }, { ctrlKey: true, isTyping: true }])(
  'opens the palette anywhere: %o',
  (keys) => {
    const shortcuts = new Shortcuts([])
    shortcuts.areSingleKeysOn = false
    expect(shortcuts.press(press('k', keys))).toBe('palette')
  },
)

it('leaves the browser its own keys', () => {
  const shortcuts = new Shortcuts(['v'])
  shortcuts.press(press('g'))
  expect(shortcuts.press(press('v', { ctrlKey: true }))).toBeUndefined()
  expect(shortcuts.press(press('/', { altKey: true }))).toBeUndefined()
})
