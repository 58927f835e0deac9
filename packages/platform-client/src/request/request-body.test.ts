import { describe, expect, it } from 'vitest'
import { formData } from './request-body.js'

describe('a form of a plain object', () => {
  it('has a part for each file, also of an array, with its name and type', async () => {
    const greeting = new File(['hello'], 'hello.wav', { type: 'audio/wav' })
    const form = formData({ files: [greeting, new Blob(['raw'])], file: greeting })
    const [first, second] = form.getAll('files')
    expect(first).toMatchObject({ name: 'hello.wav', type: 'audio/wav' })
    expect(second).toBeInstanceOf(File)
    expect(await new Response(second).text()).toBe('raw')
    expect(form.get('file')).toMatchObject({ name: 'hello.wav' })
  })

  it('writes the rest as text and leaves out what is not there', () => {
    const form = formData({
      name: 'A voice',
      count: 2,
      on: false,
      since: new Date(0),
      labels: { accent: 'irish' },
      description: undefined,
      purpose: null,
    })
    expect([...form]).toEqual([
      ['name', 'A voice'],
      ['count', '2'],
      ['on', 'false'],
      ['since', '1970-01-01T00:00:00.000Z'],
      ['labels', '{"accent":"irish"}'],
    ])
  })
})

describe('what a browser brings', () => {
  it('is taken too: a list of files, bytes, a form', async () => {
    const file = new File(['hello'], 'hello.wav')
    const list = { length: 1, 0: file, [Symbol.iterator]: () => [file].values() }
    expect(formData({ files: list }).get('files')).toMatchObject({ name: 'hello.wav' })
    const bytes = formData({ file: new TextEncoder().encode('raw') }).get('file')
    expect(bytes).toBeInstanceOf(File)
    expect(await new Response(bytes).text()).toBe('raw')
    const form = new FormData()
    expect(formData(form)).toBe(form)
  })
})
