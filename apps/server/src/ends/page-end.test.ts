import { pino } from 'pino'
import { expect, it } from 'vitest'
import { builtPage, type PageState } from './page-end.js'

/** A page whose renderer counts. */
function countedPage() {
  const rendered: string[] = []
  const render = ({ state }: { state: PageState }) => {
    rendered.push(state.kind === 'main' ? state.visitor.name : state.kind)
    return `<h1>${rendered.at(-1)}</h1>`
  }
  const module = {
    render,
    assetsDirectory: '',
    styleHashes: [],
    DEFAULT_SLUG: 'default',
    columnsOf: () => 'slug,name',
  }
  const backend = { url: 'http://127.0.0.1:1', key: 'k', textsKey: 'k', fetch }
  const page = builtPage({ module, previews: undefined } as unknown as Parameters<typeof builtPage>[0], {
    ...{ backend: backend as never, settings: {} as never },
    ...{ publicUrl: 'https://demo.example', logger: pino({ level: 'silent' }) },
  })
  return { page, rendered }
}
const main = (slug: string, name: string) =>
  ({ kind: 'main', visitor: { slug, name, system: null, first_message: null } }) as PageState

it('is rendered once for each state, and anew for another name', async () => {
  const { page, rendered } = countedPage()
  for (let time = 0; time < 3; time += 1) {
    expect(await page.render(main('acme', 'Ada'), '/acme')).toBe('<h1>Ada</h1>')
    expect(await page.render(main('acme', 'Bob'), '/acme')).toBe('<h1>Bob</h1>')
    expect(await page.render({ kind: 'loading' }, '/acme')).toBe('<h1>loading</h1>')
  }
  expect(rendered).toEqual(['Ada', 'Bob', 'loading'])
})

it('keeps no more than two hundred', async () => {
  const { page, rendered } = countedPage()
  for (let n = 0; n <= 200; n += 1) await page.render(main(`v-${n}`, `Name ${n}`), '/')
  await page.render(main('v-200', 'Name 200'), '/')
  expect(rendered).toHaveLength(201)
  await page.render(main('v-0', 'Name 0'), '/')
  expect(rendered).toHaveLength(202)
})
