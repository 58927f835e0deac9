import { expect, it } from 'vitest'
import { refusalOf } from './chosen-file.js'

const TAKES = { endings: ['txt', 'pdf'], mostBytes: 20_000_000 }

it('sends what the server may take', () => {
  expect(refusalOf({ name: 'Menu.of.May.PDF', size: 20_000_000 }, TAKES)).toBeUndefined()
})

it.each([
  ['song.mp3', 5, 'song.mp3: files of this kind are not read. Save it as one of these: txt, pdf.'],
  ['menu', 5, 'menu: files of this kind are not read. Save it as one of these: txt, pdf.'],
  ['menu.pdf', 20_000_001, 'menu.pdf has more than 20 MB: split it into several files.'],
  ['menu.txt', 0, 'menu.txt is empty: choose another file.'],
])('keeps %s of %d bytes here, and says what to do', (name, size, said) => {
  expect(refusalOf({ name, size }, TAKES)).toBe(said)
})
