import { describe, expect, it, vi } from 'vitest'
import { templateFiller } from './template.js'

const variables = {
  now: new Date('2026-03-05T21:04:09Z'),
  values: {
    name: 'Sample Bakery',
    visits: 3,
    open: true,
    nobody: null,
    now: 'Mar 5, 2026 9:04 PM',
    'first name': 'Sample',
    customer: { number: '+12025550123', tags: ['new'] },
    template: '{{name}}',
  },
}
const fill = (text: string, most = 1_000) => templateFiller(variables)(text, most)

describe('fillTemplate', () => {
  it.each([
    ['Hey {{name}}, welcome!', 'Hey Sample Bakery, welcome!'],
    ['{{ visits }} visits, {{open}}', '3 visits, true'],
    ['{{first name}}', 'Sample'],
    ['Call {{customer.number}}.', 'Call +12025550123.'],
    ['{{customer.tags.0}} {{customer.tags}}', 'new ["new"]'],
    ['No placeholder, one { brace }, {{ unclosed', 'No placeholder, one { brace }, {{ unclosed'],
  ])('puts values in: %s', (text, filled) => {
    expect(fill(text)).toBe(filled)
  })

  it.each([
    '{{stranger}}',
    '{{nobody}}',
    '{{customer.age.years}}',
    '{{name.length}}',
    '{{}}',
    '{{toString}}',
    '{{customer.constructor}}',
  ])('leaves nothing of what is not known: %s', (text) => {
    expect(fill(`[${text}]`)).toBe('[]')
  })

  it('does not read a value as a template', () => {
    expect(fill('{{template}}')).toBe('{{name}}')
  })

  it.each([
    ['{{stranger | default: "friend"}}', 'friend'],
    ["{{nobody | default: 'a | b'}}", 'a | b'],
    ['{{name | default: "friend"}}', 'Sample Bakery'],
    ['{{name | shout | default: "x"}}', 'Sample Bakery'],
    ['{{"now" | date: "%A, %B %d, %Y, %I:%M %p", "America/New_York"}}', 'Thursday, March 05, 2026, 04:04 PM'],
    ["{{ now | date: '%-d/%-m/%y %H:%M:%S' }}", '5/3/26 21:04:09'],
    ['{{"2026-01-02" | date: "%a %b %e"}}', 'Fri Jan  2'],
    ['{{0 | date: "%Y"}}', '1970'],
    ['{{name | date: "%Y"}}', 'Sample Bakery'],
    ['{{"now" | date: "%H:%M", "Mars/Base"}}', '21:04'],
    ['{{"now" | date: "%l%P %Q 100%%"}}', ' 9pm %Q 100%'],
  ])('applies filters: %s', (text, filled) => {
    expect(fill(text)).toBe(filled)
  })

  it('gives no more than it may, however many placeholders there are', () => {
    const many = '{{long}}'.repeat(10_000)
    const filled = templateFiller({ now: new Date(), values: { long: 'x'.repeat(100_000) } })(many, 5_000)
    expect(filled).toBe('x'.repeat(5_000))
    expect(fill('abcdef', 3)).toBe('abc')
  })

  it('formats a hundred dates of all texts of an assistant, and leaves the others as they are', () => {
    const text = templateFiller(variables)
    expect(text('{{"now" | date: "%Y"}} '.repeat(98), 10_000)).toBe('2026 '.repeat(98))
    expect(text('{{"now" | date: "%Y"}} '.repeat(4), 10_000)).toBe('2026 2026 now now ')
  })

  it('takes an offset from UTC for no time zone, also where the runtime knows it', () => {
    const formats = vi.spyOn(Intl, 'DateTimeFormat')
    expect(fill('{{"now" | date: "%H", "+05:30"}} {{"now" | date: "%H", "-0100"}}')).toBe('21 21')
    expect(formats.mock.calls.map(([, options]) => options?.timeZone)).not.toContain('+05:30')
    formats.mockRestore()
  })

  it('counts what is no date as one that is', () => {
    const text = templateFiller(variables)
    text('{{name | date: "%Y"}}'.repeat(100), 10_000)
    expect(text('{{"now" | date: "%Y"}}', 10_000)).toBe('now')
  })

  it('does not look for a date in more than 64 characters', () => {
    const dated = (characters: number) => {
      const long = '2026-01-02'.padEnd(characters)
      return templateFiller({ now: variables.now, values: { long } })('{{long | date: "%Y"}}', 100)
    }
    expect(dated(64)).toBe('2026')
    expect(dated(65)).toBe('2026-01-02'.padEnd(65))
  })

  it('applies twenty filters of a field, and leaves out the others', () => {
    const filters = (count: number) => '| shout '.repeat(count)
    expect(fill(`{{nobody ${filters(19)} | default: "friend"}}`)).toBe('friend')
    expect(fill(`{{nobody ${filters(20)} | default: "friend"}}`)).toBe('')
  })
})
