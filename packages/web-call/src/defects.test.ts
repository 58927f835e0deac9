import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

/** The defects of earlier helpers that this one must not have: 1 to 30, and 36, by their numbers in docs/web-call-defects.md. */
const NUMBERS = [...Array.from({ length: 30 }, (_, index) => index + 1), 36]

const folder = fileURLToPath(new URL('.', import.meta.url))
const texts = readdirSync(folder, { encoding: 'utf8', recursive: true })
  .filter((name) => name.endsWith('.test.ts') && name !== 'defects.test.ts')
  .map((name) => readFileSync(`${folder}${name}`, 'utf8'))

/** The numbers in the names of tests: `(defect 4)`, `(defects 5, 7)`. */
const named = new Set(
  texts.flatMap((text) =>
    [...text.matchAll(/\(defects? ([\d, ]+)\)/g)].flatMap(([, numbers = '']) =>
      numbers.split(',').map(Number),
    ),
  ),
)

it.each(NUMBERS)('defect %i has a test that names it', (number) => {
  expect(named).toContain(number)
})
