import { expect } from '@playwright/test'
import { start, stop } from './demo-page.js'
import { test } from './fixtures.js'
import { onServer, type PageHost } from './page-hosts.js'
import { audibleMs, tapSpeaker } from './speaker.js'
import { storeVisitors } from './visitors.js'

interface Told {
  type: string
  actor: string
  callId: string | null
  payload: { outcome?: string | null; seconds?: number }
}

const isOfCall = ({ type }: Told) => type.startsWith('webcall.')

/** A visitor's timeline, the oldest first. */
async function timelineOf({ url, heyline }: PageHost, slug: string): Promise<Told[]> {
  const { secret } = await heyline.keys()
  const answer = await fetch(`${url}/-/office/timeline/events?slug=${slug}`, {
    headers: { authorization: `Bearer ${secret}` },
  })
  expect(answer.status).toBe(200)
  const { events }: { events: Told[] } = await answer.json()
  return events.reverse()
}

function tellsOf(how: string, slug: string, settings: Record<string, string>) {
  onServer(
    `the timeline of a call in the browser, ${how}`,
    (host) => {
      test('tells of this visitor that it started, and when it is over', async ({ page }) => {
        await storeVisitors(host.heyline, [{ slug, name: 'Ada', first_message: 'Hello, dear visitor.' }])
        await tapSpeaker(page)
        await page.emulateMedia({ reducedMotion: 'reduce' })
        await page.goto(`${host.url}/${slug}`)
        await start(page).click()
        await expect.poll(() => audibleMs(page), { timeout: 15_000 }).toBeGreaterThan(500)
        await stop(page).click()
        await expect(start(page)).toBeVisible()
        const types = async () => (await timelineOf(host, slug)).filter(isOfCall).map(({ type }) => type)
        await expect.poll(types, { timeout: 30_000 }).toEqual(['webcall.started', 'webcall.completed'])
        const [started, completed] = (await timelineOf(host, slug)).filter(isOfCall)
        expect(started).toMatchObject({ actor: 'visitor', callId: expect.any(String) })
        expect(completed).toMatchObject({
          actor: 'system',
          callId: started?.callId,
          payload: { outcome: 'completed' },
        })
        expect(completed?.payload.seconds).toBeLessThan(60)
      })
    },
    settings,
  )
}

tellsOf('which the page starts itself', 'told-direct', {})
tellsOf('which the server mints', 'told-minted', { WEB_CALLS: 'minted' })
