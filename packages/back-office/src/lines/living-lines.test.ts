import { expect, it } from 'vitest'
import { JSON_LINES, livingLines, SERVER_SENT } from './living-lines.js'

it('shows signs of life while nothing changes', async () => {
  const left = new AbortController()
  async function* silence(): AsyncGenerator<string[]> {
    yield ['one']
    await new Promise((resolve) => left.signal.addEventListener('abort', resolve))
  }
  const reader = livingLines(silence(), JSON_LINES, left, 1).getReader()
  const texts = []
  for (let count = 0; count < 3; count++) texts.push(new TextDecoder().decode((await reader.read()).value))
  expect(texts).toEqual(['"one"\n', '\n', '\n'])
  await reader.cancel()
  expect(left.signal.aborted).toBe(true)
})

it('writes events as a browser reads them', async () => {
  const left = new AbortController()
  async function* one() {
    yield [{ event: 'call', data: { text: 'a\nb' } }]
  }
  const body = await new Response(livingLines(one(), SERVER_SENT, left)).text()
  expect(body).toBe('event: call\ndata: {"text":"a\\nb"}\n\n')
})
