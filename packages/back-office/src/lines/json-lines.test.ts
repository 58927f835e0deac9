import { expect, it } from 'vitest'
import { readJsonLines } from './json-lines.js'

const bodyOf = (...chunks: string[]) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk))
      controller.close()
    },
  })
async function read(chunks: string[], longest?: number) {
  const values: unknown[] = []
  for await (const part of readJsonLines(bodyOf(...chunks), longest)) values.push(...part)
  return values
}

it('reads lines wherever the body is cut', async () => {
  const text = '{"a":1}\n\n[2]\n"three"'
  for (let at = 0; at <= text.length; at++)
    expect(await read([text.slice(0, at), text.slice(at)])).toEqual([{ a: 1 }, [2], 'three'])
  expect(await read([...text, '\n'])).toEqual([{ a: 1 }, [2], 'three'])
})

it('refuses a line that is too long before it has ended', async () => {
  expect(await read(['"1234"\n', '"12', '34"'], 6)).toEqual(['1234', '1234'])
  await expect(read(['"1234"\n', '"12', '345'], 5)).rejects.toMatchObject({ code: 'too_large' })
  await expect(read(['1\n', '"12', '345'], 5)).rejects.toMatchObject({ code: 'too_large' })
})
