import { expect, it } from 'vitest'
import { readSettings } from '../settings/settings.js'
import { phoneLines } from './banner.js'

const LOCAL = 'http://localhost:3000'
const PUBLIC_URL = 'https://demo.example'
const PHONE_KEY = 'a-key-of-sixteen-letters'
const WHAT_FOR = '(open it in a second tab: Call Me rings it)'

const linesOf = (environment: Record<string, string>, onTerminal: boolean) => {
  const settings = readSettings(environment)
  return phoneLines(settings, settings.publicUrl ?? LOCAL, onTerminal)
}

it.each([true, false])('links the pocket phone of this machine, on a terminal: %s', (onTerminal) => {
  const lines = [`${LOCAL}/-/phone ${WHAT_FOR}`]
  expect(linesOf({}, onTerminal)).toEqual(lines)
  expect(linesOf({ PHONE_KEY }, onTerminal)).toEqual(lines)
})

it('shows the key on a terminal, and no log has it', () => {
  const link = `${PUBLIC_URL}/-/phone?key=${PHONE_KEY}`
  expect(linesOf({ PUBLIC_URL, PHONE_KEY }, true)).toEqual([`${link} ${WHAT_FOR}`])
  expect(linesOf({ PUBLIC_URL, PHONE_KEY }, false)).toEqual([`heyline phone prints its link ${WHAT_FOR}`])
})

it.each([true, false])('says what opens a phone that is closed, on a terminal: %s', (onTerminal) =>
  expect(linesOf({ PUBLIC_URL }, onTerminal)).toEqual(['closed: set PHONE_KEY to open it']),
)

it.each([true, false])('has no line where calls ring other phones, on a terminal: %s', (onTerminal) =>
  expect(
    linesOf({ PUBLIC_URL, PHONE_KEY, CARRIER: 'sip', SIP_TO: 'sip:desk@a.example' }, onTerminal),
  ).toEqual([]),
)
