import { resolveObjectURL } from 'node:buffer'
import { beforeEach, expect, it, vi } from 'vitest'
import { addWorklet } from './browser-audio.js'

const built = vi.hoisted(() => ({ text: undefined as string | undefined }))
vi.mock('./worklet-text.js', () => ({
  get workletText() {
    return built.text
  },
}))

/** What a browser's audio thread is told to load; it finds only what `hears` takes. */
function contextThat(hears: (url: string) => Promise<void>) {
  const asked: string[] = []
  const addModule = async (url: URL | string) => {
    asked.push(String(url))
    await hears(String(url))
  }
  return { asked, context: { audioWorklet: { addModule } } as unknown as AudioContext }
}

const LOST = new Error('worklet.js: 404')
const isFile = (url: string) => url.endsWith('/worklet.js')

beforeEach(() => {
  built.text = 'registerProcessor()'
})

it('takes the code of the audio thread from its file', async () => {
  const { asked, context } = contextThat(async () => {})
  await addWorklet(context)
  expect(asked.map(isFile)).toEqual([true])
})

it('takes it from its text where the file is lost, and keeps nothing of that', async () => {
  let heard = ''
  const { asked, context } = contextThat(async (url) => {
    if (isFile(url)) throw LOST
    heard = (await resolveObjectURL(url)?.text()) ?? ''
  })
  await addWorklet(context)
  expect(heard).toBe('registerProcessor()')
  expect(asked.map(isFile)).toEqual([true, false])
  expect(resolveObjectURL(asked[1] ?? '')).toBeUndefined()
})

it.each([
  ['there is no text', undefined],
  ['a policy refuses the text', 'registerProcessor()'],
])('says what happened to the file where %s', async (_, text) => {
  built.text = text
  const { context } = contextThat(() => Promise.reject(LOST))
  await expect(addWorklet(context)).rejects.toBe(LOST)
})
