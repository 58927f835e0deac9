import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { type PageData, toInlineJson } from '../document/page-data.js'
import type { PageState } from '../document/page-state.js'
import type { Settings } from '../document/settings.js'
import { render, styleHashes } from './render.js'

const settings: Settings = {
  backendUrl: 'http://localhost:3000/-/backend',
  backendKey: 'public-key',
  callWebhookUrl: 'http://localhost:3000/-/backend/functions/v1/call-me',
  platformUrl: 'http://localhost:3000/-/platform',
  platformPublicKey: 'public-platform-key',
  assistantId: 'assistant',
  websiteUrl: 'https://example.com/?a=1&b="2"',
  visitorHeader: true,
  logVisitors: true,
  inCallStrip: true,
}
const demoFor = (name: string): PageState => ({ kind: 'main', visitor: { slug: 'ada', name } })
const page = (state: PageState) => render({ state, settings })

/** The JSON that the browser hydrates from, found as the browser finds it: up to the first closing tag. */
function dataIn(html: string): PageData {
  const json = /<script type="application\/json" id="page-data">(.*?)<\/script/s.exec(html)?.[1]
  return JSON.parse(json ?? 'null')
}

describe('the main screen', () => {
  const html = page(demoFor('Ada'))

  it.each([
    '<h1 class="fade-first">Hey Ada,</h1>',
    'This is a tool that answers customer calls, handles questions and guides customers.',
    'Choose how you&#x27;d like to try it:',
    '>Call Me<svg class="icon"',
    '>Test in Browser<svg class="icon"',
    'rel="noopener noreferrer">Website</a>',
    '<title>Demo for Ada</title>',
    '<meta name="robots" content="noindex">',
  ])('holds %s', (part) => {
    expect(html).toContain(part)
  })

  it('opens the website in a new tab', () => {
    expect(html).toContain('<a href="https://example.com/?a=1&amp;b=&quot;2&quot;" target="_blank"')
  })

  it('has the live regions before anything is said in them', () => {
    expect(html).toContain('<span class="visually-hidden" role="status"></span>')
    expect(html).toContain('<p id="call-me-message" class="message" role="status"></p>')
  })

  it('hands state and settings to the browser', () => {
    expect(dataIn(html)).toEqual({ state: demoFor('Ada'), settings })
  })

  it('holds no assistant texts, even when it is given a whole row', () => {
    const row = { slug: 'ada', name: 'Ada', system: 'the system prompt', first_message: 'the first message' }
    const whole = page({ kind: 'main', visitor: row })
    expect(whole).not.toContain('the system prompt')
    expect(whole).not.toContain('the first message')
  })
})

describe('the other screens', () => {
  it('says that it is loading', () => {
    const html = page({ kind: 'loading' })
    expect(html).toContain('<h1 class="loading-text">Loading...</h1>')
    expect(html).toContain('<title>Loading...</title>')
    expect(dataIn(html).state).toEqual({ kind: 'loading' })
  })

  it.each(['no-visitor', 'lookup-failed'] as const)('says that the page was not found (%s)', (reason) => {
    const html = page({ kind: 'not-found', reason })
    expect(html).toContain('<h1>Page Not Found</h1>')
    expect(html).toContain('The requested page does not exist.')
    expect(html).toContain('<a href="https://example.com/?a=1&amp;b=&quot;2&quot;">Go back to main page</a>')
    expect(html).toContain('<title>Page Not Found</title>')
  })
})

describe('the connection to the backend', () => {
  const link = '<link rel="preconnect" href="http://localhost:3000" crossorigin>'

  it('is opened ahead for a page that must read its visitor', () => {
    expect(page({ kind: 'loading' })).toContain(link)
  })

  it('is left alone where the visitor is known, and where the backend is our own origin', () => {
    expect(page(demoFor('Ada'))).not.toContain('preconnect')
    const own = { ...settings, backendUrl: '/-/backend' }
    expect(render({ state: { kind: 'loading' }, settings: own })).not.toContain('preconnect')
  })
})

describe('a hostile name', () => {
  it.each(['</script><b>x', '"><img src=x onerror=alert(1)>', '<!--<script>', "'&amp;\u2028$&"])(
    '%j stays a text',
    (name) => {
      const html = page(demoFor(name))
      const plain = page(demoFor('Ada'))
      expect(html.match(/<[a-z!/]/gi)).toEqual(plain.match(/<[a-z!/]/gi))
      expect(dataIn(html).state).toEqual(demoFor(name))
    },
  )
})

describe('a shared link', () => {
  const sharing = { url: 'https://demo.example/ada', image: 'https://demo.example/ada.png?v=1&w="2"' }
  const shared = (state: PageState, image?: string) =>
    render({ state, settings, sharing: { ...sharing, image } })
  const tag = (html: string, property: string) =>
    new RegExp(`<meta (?:property|name)="${property}" content="([^"]*)">`).exec(html)?.[1]

  it('says what it is, and has a large picture', () => {
    const html = shared(demoFor('Ada & Co'), sharing.image)
    expect(tag(html, 'og:title')).toBe('Demo for Ada &amp; Co')
    expect(tag(html, 'og:description')).toMatch(/^Ada &amp; Co, try a voice assistant/)
    expect(tag(html, 'og:url')).toBe('https://demo.example/ada')
    expect(tag(html, 'og:image')).toBe('https://demo.example/ada.png?v=1&amp;w=&quot;2&quot;')
    expect(tag(html, 'og:image:width')).toBe('1200')
    expect(tag(html, 'og:image:height')).toBe('630')
    expect(tag(html, 'twitter:card')).toBe('summary_large_image')
  })

  it('goes without a picture where there is none', () => {
    const html = shared(demoFor('Ada'))
    expect(tag(html, 'og:title')).toBe('Demo for Ada')
    expect(html).not.toContain('og:image')
    expect(tag(html, 'twitter:card')).toBe('summary')
  })

  it('says what there is while the visitor is not known', () => {
    for (const html of [page({ kind: 'loading' }), shared({ kind: 'loading' }, sharing.image)]) {
      expect(tag(html, 'og:type')).toBe('website')
      expect(tag(html, 'og:title')).toBe('A voice assistant to try')
      expect(tag(html, 'og:description')).toMatch(/^A voice assistant that answers customer calls/)
      expect(html).not.toMatch(/og:(url|image)/)
    }
  })

  it('is not described for a page that is not found', () => {
    expect(shared({ kind: 'not-found', reason: 'no-visitor' }, sharing.image)).not.toContain('og:')
  })
})

it('escapes every < in inlined JSON', () => {
  expect(toInlineJson({ state: demoFor('<</script>'), settings })).not.toContain('<')
})

it('exports the hash of the style that it inlines', () => {
  const style = /<style>(.*?)<\/style>/s.exec(page({ kind: 'loading' }))?.[1] ?? ''
  expect(styleHashes).toEqual([`'sha256-${createHash('sha256').update(style).digest('base64')}'`])
})
