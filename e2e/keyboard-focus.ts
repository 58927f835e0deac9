import type { Page } from '@playwright/test'

/** What the keyboard's focus is on, and whether a ring shows it: on itself or, in the phone field, around it. */
export const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement
    const name = element?.getAttribute('aria-label') ?? element?.textContent
    const ringed = [element, element?.closest('.PhoneInputCountry'), element?.closest('.PhoneInput')]
    const hasRing = ringed.some((one) => {
      if (!one) return false
      const { outlineStyle, outlineWidth } = getComputedStyle(one)
      return outlineStyle === 'solid' && Number.parseFloat(outlineWidth) >= 2
    })
    return `${name}${hasRing ? '' : ' (no ring)'}`
  })

/** The stops of the Tab key, from the top of the document until it leaves it. */
export async function stops(page: Page): Promise<string[]> {
  await page.evaluate(() => {
    document.body.tabIndex = -1
    document.body.focus()
    document.body.removeAttribute('tabindex')
  })
  const names: string[] = []
  for (let turn = 0; turn < 12; turn += 1) {
    await page.keyboard.press('Tab')
    if (await page.evaluate(() => document.activeElement === document.body)) break
    names.push(await focused(page))
  }
  return names
}
