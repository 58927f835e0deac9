import { Writable } from 'node:stream'
import { expect, it } from 'vitest'
import { OutputClosed, printText } from './output.js'

const failing = (code: string) => {
  const out = new Writable({ write: (_, __, done) => done(Object.assign(new Error('write'), { code })) })
  return out.on('error', () => {})
}

it('tells who has gone from what went wrong, and says it again', async () => {
  const gone = failing('EPIPE')
  await expect(printText('a', gone)).rejects.toBeInstanceOf(OutputClosed)
  await expect(printText('b', gone)).rejects.toBeInstanceOf(OutputClosed)
  await expect(printText('a', failing('ENOSPC'))).rejects.toMatchObject({ code: 'ENOSPC' })
})

it('waits until a part is out', async () => {
  const seen: string[] = []
  const slow = new Writable({
    write: (chunk, _, done) => void setImmediate(() => done(void seen.push(String(chunk)))),
  })
  await printText('a', slow)
  expect(seen).toEqual(['a'])
})
