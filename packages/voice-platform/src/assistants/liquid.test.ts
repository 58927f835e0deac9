import { describe, expect, it } from 'vitest'
import { templateFiller } from './template.js'

const variables = {
  now: new Date('2026-03-05T21:04:09Z'),
  values: {
    name: 'ada lovelace',
    plan: 'gold',
    count: '12',
    none: [],
    'first name': 'Ada',
    order: {
      id: 7,
      lines: [
        { item: 'tea', price: 3.5 },
        { item: 'cake', price: 2 },
      ],
    },
    tags: ['new', 'vip', 'new'],
  },
}
const fill = (text: string, most = 100_000) => templateFiller(variables)(text, most)

describe('if and unless', () => {
  it.each([
    ['{% if plan == "gold" %}Gold{% else %}Other{% endif %}!', 'Gold!'],
    ['{% if plan == "blue" %}Blue{% elsif plan == "gold" %}Gold{% else %}Other{% endif %}', 'Gold'],
    ['{% if stranger %}known{% else %}unknown{% endif %}', 'unknown'],
    ['{% unless stranger %}unknown{% endunless %}', 'unknown'],
    ['{% if count > 9 and count <= 12 %}many{% endif %}', 'many'],
    ['{% if false or plan contains "old" %}yes{% endif %}', 'yes'],
    ['{% if true or false and false %}right to left{% endif %}', 'right to left'],
    ['{% if tags contains "vip" %}vip{% endif %}', 'vip'],
    ['{% if none == empty %}empty{% endif %}{% if stranger != blank %}no{% endif %}', 'empty'],
    ['{% if stranger == nil %}nil{% endif %}{% if "" %} a text is true{% endif %}', 'nil a text is true'],
    ['{% if first name == "Ada" %}Hi{% endif %}', 'Hi'],
    ['{% if plan %}{% if order.id == 7 %}in{% endif %}side{% endif %}', 'inside'],
    ['a \n{%- if plan -%} b {%- endif -%} \n c', 'abc'],
    ['{% if order.lines.size > 1 %}{{order.lines[1].item}} {{ order["id"] }}{% endif %}', 'cake 7'],
  ])('%s', (text, filled) => {
    expect(fill(text)).toBe(filled)
  })
})

describe('for', () => {
  it.each([
    [
      '{% for line in order.lines %}{{forloop.index}}. {{line.item}}{% unless forloop.last %}, {% endunless %}{% endfor %}',
      '1. tea, 2. cake',
    ],
    ['{% for tag in tags limit:1 offset:1 %}{{tag}}{% endfor %}', 'vip'],
    ['{% for tag in tags reversed %}{{forloop.rindex0}}{{tag}} {% endfor %}', '2new 1vip 0new '],
    ['{% for n in (1..3) %}{{n}}{% endfor %}', '123'],
    ['{% for n in (1..order.id) %}{{n}}{% endfor %}', '1234567'],
    ['{% for x in none %}x{% else %}nothing{% endfor %}', 'nothing'],
    ['{% for x in stranger %}x{% endfor %}', ''],
    ['{% for a in (1..2) %}{% for b in (1..2) %}{{a}}{{b}} {% endfor %}{% endfor %}{{a}}', '11 12 21 22 '],
    ['{% for field in order limit:1 %}{{field[0]}}={{field[1]}}{% endfor %}', 'id=7'],
  ])('%s', (text, filled) => {
    expect(fill(text)).toBe(filled)
  })
})

describe('what is no tag', () => {
  it.each([
    '{% assign x = 1 %}',
    '{% if plan %}open',
    'a{% endif %}b',
    '{% else %}',
    '{% for x %}y{% endfor %}',
    '{% if %}x{% endif %}',
    '100%} {% and {%',
  ])('stays as it is: %s', (text) => {
    expect(fill(text)).toBe(text)
  })

  it('keeps what is filled in around and inside', () => {
    expect(fill('{% if plan %}{{order.id}}{% for t in tags %}{{t}} ')).toBe(
      '{% if plan %}7{% for t in tags %} ',
    )
    expect(fill('{% raw %}{{order.id}}{% endraw %}')).toBe('{% raw %}7{% endraw %}')
  })
})

describe('filters', () => {
  it.each([
    ['{{name | upcase}} {{"ADA" | downcase}} {{name | capitalize}}', 'ADA LOVELACE ada Ada lovelace'],
    ['{{name | size}} {{tags | size}} {{tags | first}} {{tags | last}}', '12 3 new new'],
    ['{{"a,b,c" | split: "," | join: " and "}}', 'a and b and c'],
    ['{{name | replace: "a", "o"}} {{name | remove: "love"}}', 'odo loveloce ada lace'],
    ['[{{" x " | strip}}] {{name | truncate: 6}} {{name | truncatewords: 1, "!"}}', '[x] ada... ada!'],
    ['{{count | plus: 1}} {{count | minus: 2}} {{3 | times: 1.5}}', '13 10 4.5'],
    ['{{7 | divided_by: 2}} {{7 | divided_by: 2.0}} {{7 | modulo: 4}} {{1 | divided_by: 0}}', '3 3.5 3 0'],
    ['{{3.456 | round: 1}} {{3.5 | round}} {{3.2 | ceil}} {{0.1 | plus: 0.2}}', '3.5 4 4 0.3'],
    ['{{name | append: "!" | prepend: "Hi "}}', 'Hi ada lovelace!'],
    ['{{tags | uniq | sort | join: ","}}', 'new,vip'],
    ['{{order.lines | map: "item" | join: ", "}}', 'tea, cake'],
    ['{{order.lines | where: "item", "cake" | map: "price"}}', '[2]'],
    ['{{order.lines | sort: "price" | map: "item" | first}} {{order.lines | sum: "price"}}', 'cake 5.5'],
    ['{{stranger | default: name | upcase}}', 'ADA LOVELACE'],
    [
      '{{order | constructor}}{{name | toString | hasOwnProperty}}',
      '{"id":7,"lines":[{"item":"tea","price":3.5},{"item":"cake","price":2}]}ada lovelace',
    ],
  ])('%s', (text, filled) => {
    expect(fill(text)).toBe(filled)
  })
})

describe('bounds', () => {
  it('ends loops inside loops after some work, and still cuts at the most', () => {
    const inside = (levels: number): string =>
      levels === 0 ? 'x' : `{% for n in (1..1000) %}${inside(levels - 1)}{% endfor %}`
    expect(fill(inside(3)).length).toBeLessThan(30_000)
    expect(fill(inside(2), 50)).toBe('x'.repeat(50))
    expect(
      fill(
        `{% for n in (1..1000) %}${'{% for m in (1..1000) limit:0 %}{% endfor %}'.repeat(1_000)}{% endfor %}`,
      ),
    ).toBe('')
  })

  it('lets no filter grow a text without end', () => {
    const grows = `{{ "aaaaaaaaaa" ${'| replace: "a", "aaaaaaaaaa" '.repeat(20)} | size }}`
    expect(Number(fill(grows.replace(/\| size/, '')).length)).toBeLessThanOrEqual(20_000)
    expect(fill(grows.repeat(300)).length).toBeLessThanOrEqual(100_000)
  })

  it('leaves a value as it is once the work is done, and goes on with what costs nothing', () => {
    const filled = fill(`${'{{name | upcase}}'.repeat(20_000)}`.concat('{{order.id}}'), 1_000_000)
    expect(filled.startsWith('ADA')).toBe(true)
    expect(filled.endsWith('ada lovelace7')).toBe(true)
  })

  it('reads hostile texts in one pass', () => {
    for (const piece of [
      '{%',
      '{{',
      '{% if ',
      '{% if x %}',
      '{% "',
      "{{'",
      '{{ x | ',
      '{% for a in b %}',
      '{{"',
    ])
      expect(fill(piece.repeat(20_000)).length).toBeLessThanOrEqual(100_000)
  })

  it('reads hostile names in one pass', () => {
    for (const piece of [' ', '[', '["', "['", '[ ', '["a"  ', 'a.', '[a', '..', '. .']) {
      const long = piece.repeat(20_000 / piece.length)
      expect(fill(`{{ order[${long}b }}`)).toBe('')
      expect(
        fill(`[{% for n in (${long}) %}{% for m in (1${long}.. 2 .) %}{% endfor %}{% endfor %}]`),
      ).toMatch(/^\[/)
    }
  })

  it('counts long names in loops, and what filters are given, as work', () => {
    const name = 'a.'.repeat(4_000)
    const most = (inside: string) =>
      fill(`{% for n in (1..1000) %}{% for m in (1..1000) %}.${inside}{% endfor %}{% endfor %}`).length
    expect(most(`{{ ${name} }}`)).toBeLessThan(100)
    expect(fill(`{{ tags | map: "${name}" | join }}`)).toBe('  ')
    const lists = Array.from({ length: 600 }, () => ({ a: 1 }))
    for (const filter of [`map: "${name}"`, 'map: name', 'where: "a", name'])
      expect(
        templateFiller({ values: { lists, name }, now: variables.now })(`{{ lists | ${filter} }}`, 9),
      ).toBe('[{"a":1},')
  })
})
