import { createReadStream } from 'node:fs'
import { type NumbersFile, readNumbers } from '@heyline/back-office/csv'

/** Reads a file of numbers: a number a line, or a CSV with a column `phone`. */
export async function readNumbersFile(file: string): Promise<NumbersFile> {
  const stream = createReadStream(file)
  try {
    return await readNumbers(stream)
  } finally {
    stream.destroy()
  }
}
