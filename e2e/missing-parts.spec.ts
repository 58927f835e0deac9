import { expect, type Page } from '@playwright/test'
import { start, stop } from './demo-page.js'
import { test } from './fixtures.js'
import { onServer } from './page-hosts.js'

/** What a browser may lack or refuse; each runs in the page before anything else. */
const PARTS: Record<string, () => void> = {
  'speech recognition': () => {
    for (const name of ['SpeechRecognition', 'webkitSpeechRecognition']) Reflect.deleteProperty(window, name)
  },
  'speech recognition that can be made': () => {
    const refuse = function refuse() {
      throw new Error('not here')
    }
    Object.assign(window, { SpeechRecognition: refuse, webkitSpeechRecognition: refuse })
  },
  'audio processing': () => Reflect.deleteProperty(MediaStreamTrack.prototype, 'getSettings'),
  'a filter of the microphone': () => {
    MediaStreamTrack.prototype.getSettings = () => ({})
    MediaStreamTrack.prototype.applyConstraints = () => Promise.reject(new Error('not here'))
  },
  'an observer of audio levels': () => {
    const post = MessagePort.prototype.postMessage
    MessagePort.prototype.postMessage = function (
      this: MessagePort,
      message: { type?: string } | null,
      ...rest: []
    ) {
      if (message?.type === 'observe') throw new Error('not here')
      Reflect.apply(post, this, [message, ...rest])
    }
  },
  'a choice of loudspeakers': () => {
    Reflect.deleteProperty(AudioContext.prototype, 'setSinkId')
    Reflect.deleteProperty(HTMLMediaElement.prototype, 'setSinkId')
  },
  'a word on permissions': () => Reflect.deleteProperty(Navigator.prototype, 'permissions'),
  'permissions of that name': () => {
    Permissions.prototype.query = () => Promise.reject(new TypeError('not a permission'))
  },
  'a list of devices': () => {
    Reflect.deleteProperty(MediaDevices.prototype, 'enumerateDevices')
    Reflect.set(navigator.mediaDevices, 'addEventListener', undefined)
  },
}

onServer('a browser that lacks', (host) => {
  async function press(page: Page) {
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(error.message))
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto(`${host.url}/default`)
    await start(page).click()
    return errors
  }

  for (const [part, lack] of Object.entries(PARTS))
    test(`${part} holds the call all the same`, async ({ page }) => {
      await page.addInitScript(lack)
      const errors = await press(page)
      await expect(stop(page)).toBeVisible()
      // What is set up once the room is joined has had its time.
      await page.waitForTimeout(1_000)
      await expect(stop(page)).toBeVisible()
      const mute = page.getByRole('button', { name: 'Mute microphone', exact: true })
      await mute.click()
      await mute.click()
      await expect(mute).toHaveAttribute('aria-pressed', 'false')
      await expect(stop(page)).toBeVisible()
      await stop(page).click()
      await expect(start(page)).toBeVisible()
      expect(errors).toEqual([])
    })

  test('AudioWorklet, without which there is no call, returns to idle and says so in the console', async ({
    page,
  }) => {
    await page.addInitScript(() => Reflect.deleteProperty(BaseAudioContext.prototype, 'audioWorklet'))
    const told: string[] = []
    page.on('console', async (message) => {
      for (const value of message.args()) told.push(JSON.stringify(await value.jsonValue().catch(() => '')))
    })
    const errors = await press(page)
    await expect(page.getByText('Call could not be started')).toBeAttached()
    await expect(start(page)).toBeVisible()
    await expect.poll(() => told.join(' ')).toContain('needs AudioWorklet')
    expect(errors).toEqual([])
  })
})
