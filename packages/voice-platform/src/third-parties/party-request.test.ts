import { afterEach, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { partyList } from './party-list.js'
import { askParty } from './party-request.js'

afterEach(() => vi.restoreAllMocks())

const voices = z.looseObject({ voices: partyList(z.looseObject({ name: z.string() })) })
const asked = (body: BodyInit) => {
  const party = { name: 'The party', headers: {}, fetch: async () => new Response(body) }
  return askParty(party, new URL('https://party.example/voices'), voices)
}

it('takes a list as long as parties send them', async () => {
  const settings = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`setting-${n}`, n]))
  const list = Array.from({ length: 1_000 }, (_, n) => ({ name: `Voice ${n}`, settings }))
  const { voices } = await asked(JSON.stringify({ voices: list }))
  expect(voices).toHaveLength(1_000)
  expect(voices[999]).toEqual(list[999])
})

it('parses no answer of far more values', async () => {
  const body = `{"voices":[${Array(300_000).fill('[]').join(',')}]}`
  const parse = vi.spyOn(JSON, 'parse')
  await expect(asked(body)).rejects.toThrow('The party sent an answer that cannot be read.')
  expect(parse).not.toHaveBeenCalled()
})

it('reads no answer of far more bytes to its end', async () => {
  let bytes = 0
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      bytes += 100_000
      controller.enqueue(new Uint8Array(100_000))
    },
  })
  await expect(asked(endless)).rejects.toThrow('The party cannot be reached.')
  expect(bytes).toBeLessThan(5_000_000)
})

it('checks a list up to its first wrong element', () => {
  const element = z.object({ name: z.string() })
  const { error } = z.object({ voices: partyList(element) }).safeParse({
    voices: [{ name: 'Rachel' }, ...Array(1_000).fill(0)],
  })
  expect(error?.issues.map(({ path }) => path)).toEqual([['voices', 1]])
})
