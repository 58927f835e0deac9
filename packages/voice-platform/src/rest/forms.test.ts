import { expect, it } from 'vitest'
import { Forms } from './forms.js'

it('takes a form of another asker beside one that is being worked with, however many of his wait', async () => {
  const forms = new Forms(1_000)
  const begun: string[] = []
  let end: () => void = () => undefined
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const send = (asker: string, name: string, until = ended) => {
    const body = new FormData()
    body.set('name', name)
    return forms.take(asker, new Request('http://platform/file', { method: 'POST', body }), async () => {
      begun.push(name)
      await until
    })
  }
  const slow = ['a1', 'a2', 'a3'].map((name) => send('ann', name))
  await send('ben', 'b1', Promise.resolve())
  expect(begun).toEqual(['a1', 'b1'])
  end()
  await Promise.all(slow)
  expect(begun).toEqual(['a1', 'b1', 'a2', 'a3'])
})
