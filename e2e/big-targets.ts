import { expect, type Page } from '@playwright/test'

/** Every control is at least 24 by 24 pixels (WCAG 2.5.8). */
export async function expectBigTargets(page: Page) {
  const targets = await page.locator('a, button, input, select').filter({ visible: true }).all()
  expect(targets.length).toBeGreaterThan(2)
  for (const target of targets) {
    const box = await target.boundingBox()
    const name = await target.evaluate((element) => element.outerHTML.slice(0, 80))
    expect(Math.min(box?.width ?? 0, box?.height ?? 0), name).toBeGreaterThanOrEqual(24)
  }
}
