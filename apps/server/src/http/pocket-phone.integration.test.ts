import { describe, expect, it } from 'vitest'
import { pocketPhoneManifest, pocketPhonePage } from './pocket-phone.js'

const POLICY = "default-src 'none'"

describe('the page of the pocket phone', () => {
  it('says who calls, whatever signs the name has', async () => {
    const page = await (await pocketPhonePage(true, POLICY, `A "B" & <C> $& '`)).text()
    expect(page).toContain('<meta name="caller" content="A &quot;B&quot; &amp; &lt;C&gt; $&amp; &#39;"')
    expect(page.match(/name="caller"/g)).toHaveLength(1)
  })

  it('says nothing to who may not open it', async () => {
    for (const answer of [
      await pocketPhonePage(false, POLICY, 'Northwind'),
      await pocketPhoneManifest(false, 'x'),
    ]) {
      expect(answer.status).toBe(403)
      expect(await answer.text()).toMatch(
        /^The pocket phone opens on the server itself, or by the link that `heyline phone`/,
      )
    }
  })

  it('has a manifest that opens the installed phone with the same key', async () => {
    const answer = await pocketPhoneManifest(true, 'a&b c')
    expect(answer.headers.get('content-type')).toBe('application/manifest+json')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const { start_url, scope, icons } = await answer.json()
    expect([start_url, scope]).toEqual(['/-/phone?key=a%26b+c', '/-/phone'])
    expect(icons).toHaveLength(4)
    for (const { src } of icons) expect(src).toMatch(/^\/-\/assets\/icon-\d+-[\w-]{8}\.png$/)
    expect((await (await pocketPhoneManifest(true, null)).json()).start_url).toBe('/-/phone')
  })
})
