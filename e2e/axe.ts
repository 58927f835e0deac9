import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** What axe finds: all its rules that are no experiment, with target sizes (2.5.8) and a contrast of 7:1 (1.4.6). */
export async function findings(page: Page): Promise<string[]> {
  const axe = new AxeBuilder({ page }).setLegacyMode(true).options({
    rules: { 'target-size': { enabled: true }, 'color-contrast-enhanced': { enabled: true } },
  })
  const { violations } = await axe.analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
}

/** Layout does not depend on the colours, nor the colours on the width: two looks stand for all four. */
const LOOKS = [
  { viewport: { width: 390, height: 844 }, colorScheme: 'light' },
  { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
] as const

/** Of a screen that is there: what a page looks like while its scripts are on their way is no finding. */
export async function expectNoFindings(page: Page, state: string) {
  await expect(page.locator('h1').first(), state).toBeAttached()
  for (const { viewport, colorScheme } of LOOKS) {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme })
    // A colour that is still on its way would be measured as no one sees it. A cancelled transition has arrived too.
    await page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)))
    expect(await findings(page), `${state}, ${colorScheme}, ${viewport.width} px`).toEqual([])
  }
}
