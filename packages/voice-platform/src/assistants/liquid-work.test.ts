import { afterEach, describe, expect, it, vi } from 'vitest'
import { templateFiller } from './template.js'

/** What one filler may look at, with some room for the last step. */
const MOST = 600_000
const now = new Date('2026-03-05T21:04:09Z')

afterEach(() => vi.restoreAllMocks())

const fill = (text: string, values: Record<string, unknown> = {}) =>
  templateFiller({ now, values })(text, 100_000)

/** Characters that texts are searched for others: a short one is looked for in one pass. */
function searched(): () => number {
  let all = 0
  for (const name of ['includes', 'split', 'replace'] as const) {
    const original: unknown = String.prototype[name]
    vi.spyOn(String.prototype, name).mockImplementation(function (this: string, ...given: unknown[]) {
      const [sought] = given
      if (typeof sought === 'string') all += this.length * (sought.length > 200 ? sought.length : 1)
      return Reflect.apply(original as () => unknown, this, given)
    } as never)
  }
  return () => all
}

/** Characters of all JSON that is written. */
function written(): () => number {
  const stringify = vi.spyOn(JSON, 'stringify')
  return () => stringify.mock.results.reduce((sum, { value }) => sum + String(value ?? '').length, 0)
}

const rounds = (inside: string) => `{% for i in (1..1000) %}${inside}{% endfor %}`
const fifty = (comparison: string) => Array.from({ length: 50 }, () => comparison).join(' or ')
const long = 'a'.repeat(12_000)
const hidden = `${'a'.repeat(3_000)}b${'a'.repeat(3_000)}`

describe('work that conditions and filters do', () => {
  it('is paid for where a text is looked for in another, again and again', () => {
    const characters = searched()
    fill(rounds(`{% if ${fifty('s contains p')} %}a{% endif %}`), { s: long, p: hidden })
    fill(
      `{% for s in "${long}" %}{% for p in "${hidden}" %}${rounds(`{% if ${fifty('s contains p')} %}a{% endif %}`)}{% endfor %}{% endfor %}`,
    )
    fill(rounds(`{% if ${fifty('s contains p')} %}a{% endif %}`), { s: long, p: 'aaab' })
    for (const filter of [
      'replace: p, "x"',
      'replace_first: p, "x"',
      'remove: p',
      'remove_first: p',
      'split: p',
    ])
      fill(rounds(`{{ s | ${filter} }}`), { s: long, p: hidden })
    expect(characters()).toBeLessThan(8 * MOST)
  })

  it('is paid for where values are compared, whatever they are', () => {
    const list = Array.from({ length: 470 }, (_, index) => `item ${index}`)
    const object = Object.fromEntries(list.map((item) => [item, item]))
    const number = `${'1'.repeat(2_600)}x`
    for (const condition of ['l contains "x"', 's contains o', 'o == empty', 's == blank', 's < 1', 's < t'])
      expect(
        fill(`${rounds(`{% if ${fifty(condition)} %}{% else %}.{% endif %}`)}`, {
          ...{ l: list, o: object, s: number, t: number },
        }).length,
      ).toBeLessThan(30)
  })

  it('is paid for where objects are written as JSON', () => {
    const characters = written()
    const object = Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`field ${index}`, index]))
    const list = Array.from({ length: 470 }, () => 'item')
    fill(rounds(`{% if ${fifty('s contains o')} %}a{% endif %}`), { s: 'a', o: object })
    expect(characters()).toBeLessThan(2 * MOST)
    fill('{{ "now" | date: x }}'.repeat(4_000), { x: list })
    fill(`{{ "a" | append: ${'o, '.repeat(20_000)} }}`, { o: object })
    fill(rounds(rounds('{% for field in o limit: 0 %}{% endfor %}')), { o: object })
    fill(rounds('{{ l | sort | first }}'), { l: list.map((item) => ({ item })) })
    expect(characters()).toBeLessThan(10 * MOST)
  })

  it('leaves no time to a condition of many words', () => {
    const words = Array.from({ length: 200 }, () => '< or').join(' ')
    expect(fill(`${rounds(`{% if ${words} %}a{% endif %}`)}.`)).toBe('.')
  })

  it('leaves room for what honest texts ask', () => {
    const values = { plan: 'gold', order: { lines: [{ item: 'tea' }] }, notes: 'They like tea. '.repeat(500) }
    const text = '{% if plan == "gold" and notes contains "tea" %}{{ order.lines | map: "item" }}{% endif %}'
    expect(fill(text.repeat(40), values)).toBe('["tea"]'.repeat(40))
  })

  it('reads no text of more than forty characters as a number', () => {
    const digits = (length: number) => fill('{% if s > 1 %}yes{% endif %}', { s: '2'.repeat(length) })
    expect([digits(40), digits(41)]).toEqual(['yes', ''])
  })
})
