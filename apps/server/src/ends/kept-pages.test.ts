import { expect, it } from 'vitest'
import { keptPages } from './kept-pages.js'
import type { PageState } from './page-end.js'

/** A renderer that tells what it rendered. */
function counted() {
  const rendered: string[] = []
  const render = keptPages((state: PageState) => {
    rendered.push(state.kind === 'main' ? state.visitor.name : state.kind)
    return `<h1>${rendered.at(-1)}</h1>`
  })
  return { rendered, render }
}
const main = (slug: string, name: string): PageState => ({ kind: 'main', visitor: { slug, name } })

it('are rendered once for each state, and anew for another name', async () => {
  const { render, rendered } = counted()
  for (let time = 0; time < 3; time += 1) {
    expect(await render(main('acme', 'Ada'))).toBe('<h1>Ada</h1>')
    expect(await render(main('acme', 'Bob'))).toBe('<h1>Bob</h1>')
    expect(await render({ kind: 'loading' })).toBe('<h1>loading</h1>')
  }
  expect(rendered).toEqual(['Ada', 'Bob', 'loading'])
})

it('are two hundred at most', async () => {
  const { render, rendered } = counted()
  for (let n = 0; n <= 200; n += 1) await render(main(`v-${n}`, `Name ${n}`))
  await render(main('v-200', 'Name 200'))
  expect(rendered).toHaveLength(201)
  await render(main('v-0', 'Name 0'))
  expect(rendered).toHaveLength(202)
})
