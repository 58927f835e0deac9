import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { isForeignLoad } from './foreign-loads.js'

const asked = (url: string, headers: Record<string, string> = {}) =>
  ({ method: 'GET', url, headers }) as IncomingMessage
const from = (site: string, dest: string, more = {}) => ({
  'sec-fetch-site': site,
  'sec-fetch-dest': dest,
  ...more,
})

describe('a page that is loaded', () => {
  it.each([
    ['into a page of another site as a picture', '/acme', from('cross-site', 'image')],
    ['as a script', '/acme', from('cross-site', 'script')],
    ['by fetch', '/acme', from('cross-site', 'empty')],
    ['into a frame', '/acme', from('cross-site', 'iframe')],
    ['ahead', '/acme', from('cross-site', 'document', { 'sec-purpose': 'prefetch' })],
    ['under a path that is written otherwise', '/%2D/../acme', from('cross-site', 'image')],
  ])('%s is foreign', (_, url, headers) => {
    expect(isForeignLoad(asked(url, headers))).toBe(true)
  })

  it.each([
    ['by a link on another site', '/acme', from('cross-site', 'document')],
    ['by whoever types its address', '/acme', from('none', 'document')],
    ['by itself', '/acme', from('same-origin', 'empty')],
    ['by a client that says nothing', '/acme', {}],
    ['as the picture of a shared link', '/-/previews/acme.png', from('cross-site', 'image')],
    ['as the script of an embedded call', '/-/embed/heyline-call.js', from('cross-site', 'script')],
    [
      'over the wire',
      '/-/backend/rest/v1/visitors',
      from('cross-site', 'empty', { origin: 'https://a.example' }),
    ],
  ])('%s is not', (_, url, headers) => {
    expect(isForeignLoad(asked(url, headers))).toBe(false)
  })

  it('with the events of a call is foreign where no origin is named', () => {
    const events = '/-/calls/3f2504e0-4f89-41d3-9a0c-0305e82c3301/events'
    expect(isForeignLoad(asked(events, from('cross-site', 'image')))).toBe(true)
    expect(isForeignLoad(asked(events, from('cross-site', 'empty', { origin: 'https://a.example' })))).toBe(
      false,
    )
    expect(isForeignLoad(asked(events, from('same-origin', 'empty')))).toBe(false)
  })
})
