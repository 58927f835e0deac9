import { expect, it } from 'vitest'
import { boundaryOf, formExcess, MOST_HEADER_BYTES, MOST_PARTS } from './form-parts.js'
import { Forms } from './forms.js'

const CLOSE = '--b--\r\n'
const part = (content = '', header = 'Content-Disposition: form-data; name="a"; filename="b"') =>
  `--b\r\n${header}\r\n\r\n${content}\r\n`
const request = (body: string, type = 'multipart/form-data; boundary=b') =>
  new Request('http://platform/file', {
    method: 'POST',
    headers: { 'content-type': type },
    body: Buffer.from(body, 'latin1'),
  })
const taken = (body: string, type?: string) =>
  new Forms(20_000_000).take('private key', request(body, type), async (form) => form.getAll('a').length)

const MANY = `The form has more than ${MOST_PARTS} parts.`
const LONG = `The form has a part whose header is longer than ${MOST_HEADER_BYTES} bytes: shorten its name or its file's name.`

it.each([
  ['files', part().repeat(300_000) + CLOSE, MANY],
  ['one part more than it may have', part().repeat(MOST_PARTS + 1) + CLOSE, MANY],
  ['fields', part('', 'Content-Disposition: form-data; name="a"').repeat(350_000) + CLOSE, MANY],
  ['parts after line ends', '\r\n'.repeat(1_000_000) + part().repeat(200_000) + CLOSE, MANY],
  ['parts with the dashes of their boundary alone', '--b'.repeat(6_000_000), MANY],
  [
    'a long name',
    part('', `Content-Disposition: form-data; name="${'%22'.repeat(6_000_000)}"`) + CLOSE,
    LONG,
  ],
  [
    'many lines in a header',
    part('', `${'a: b\r\n'.repeat(3_000_000)}Content-Disposition: form-data; name="a"`) + CLOSE,
    LONG,
  ],
  ['a header that never ends', `--b\r\n${'a: b\r\n'.repeat(3_000_000)}`, LONG],
  ['a last part with a long header', part() + part('', `X: ${'y'.repeat(MOST_HEADER_BYTES)}`) + CLOSE, LONG],
])('refuses a form of %s', async (_, body, message) => {
  await expect(taken(body)).rejects.toMatchObject({ status: 400, message })
})

it('takes a form of as many parts, with headers as long, as it may have', async () => {
  const header = (length: number) => {
    const disposition = 'Content-Disposition: form-data; name="a"; filename="b"\r\nX: '
    return disposition.padEnd(length, 'y')
  }
  const body = part('c'.repeat(100_000), header(MOST_HEADER_BYTES)).repeat(MOST_PARTS) + CLOSE
  expect(await taken(body)).toBe(MOST_PARTS)
})

it.each([
  ['multipart/form-data; boundary="b"', part() + CLOSE],
  ['Multipart/Form-Data ; charset=utf-8; BOUNDARY=b', part() + CLOSE],
  ['multipart/form-data; boundary=b; boundary=c', part() + CLOSE],
  ['multipart/form-data; boundary="b c:(?)"', (part() + CLOSE).replaceAll('--b', '--b c:(?)')],
])('the boundary that is looked for is the parser’s: %s', async (type, body) => {
  expect(await taken(body, type)).toBe(1)
  const many = body.slice(0, body.indexOf('\r\n\r\n\r\n') + 6).repeat(MOST_PARTS + 2)
  await expect(taken(many, type)).rejects.toMatchObject({ status: 400, message: MANY })
})

it.each([
  'multipart/form-data;',
  'multipart/form-data; boundary=""',
  `multipart/form-data; boundary=${'b'.repeat(71)}`,
])('refuses a form without a boundary that may stand there: %s', async (type) => {
  expect(boundaryOf(type)).toBeUndefined()
  await expect(taken(part() + CLOSE, type)).rejects.toMatchObject({
    status: 400,
    message: 'The content-type of the form names no boundary of 1 to 70 characters.',
  })
})

it('leaves what is no form to the parser', async () => {
  for (const body of ['', '--b', '--b\r\n', 'x', `x${part()}${CLOSE}`, part()]) {
    expect(formExcess(Buffer.from(body), 'b')).toBeUndefined()
    await expect(taken(body)).rejects.toMatchObject({
      status: 400,
      message: 'The body is no multipart form that can be read.',
    })
  }
})
