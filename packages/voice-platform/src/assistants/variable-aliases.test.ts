import { expect, it } from 'vitest'
import { aliasedVariables, variableAliases } from './variable-aliases.js'

const NOW = new Date('2026-01-02T03:04:05Z')
const aliased = (aliases: [string, string][], values: Record<string, unknown> = {}) =>
  aliasedVariables(
    aliases.map(([key, value]) => ({ key, value })),
    { values, now: NOW },
  )

it('fills each value with what was read and with the aliases before it', () => {
  const values = { customer: { name: 'Ada Byron' } }
  expect(
    aliased(
      [
        ['shout', '{{customer.name | upcase}}'],
        ['greeting', 'Hello {{shout}}, {{nobody | default: "you"}}'],
        ['constructor', '{{constructor}}'],
      ],
      values,
    ),
  ).toEqual({ shout: 'ADA BYRON', greeting: 'Hello ADA BYRON, you', constructor: '' })
  expect(values).toEqual({ customer: { name: 'Ada Byron' } })
})

it('does not read values as templates, and cuts them off between two characters', () => {
  const { twice, long } = aliased(
    [
      ['twice', '{{said}}'],
      ['long', 'x{{many}}'],
    ],
    { said: '{{secret}}', secret: 'hush', many: '😀'.repeat(3_000) },
  )
  expect(twice).toBe('{{secret}}')
  expect(long).toBe(`x${'😀'.repeat(1_999)}`)
})

it('leaves out a value that no database takes, and does no endless work', () => {
  expect(aliased([['zero', 'a{{zero}}']], { zero: '\u0000' })).toEqual({})
  const work = '{% for a in (1..1000) %}{% for b in (1..1000) %}{% endfor %}{% endfor %}'
  expect(Object.keys(aliased(Array.from({ length: 50 }, (_, at) => [`a${at}`, work])))).toHaveLength(50)
})

it.each([
  ['a key that is no name', [{ key: '__proto__', value: 'x' }]],
  ['a key that is too long', [{ key: 'a'.repeat(41), value: 'x' }]],
  ['a value that is too long', [{ key: 'a', value: 'x'.repeat(1_001) }]],
  ['too many', Array.from({ length: 51 }, () => ({ key: 'a', value: 'x' }))],
  ['another setting', [{ key: 'a', value: 'x', code: 'y' }]],
])('refuses %s', (_, aliases) => {
  expect(variableAliases.safeParse(aliases).success).toBe(false)
})
