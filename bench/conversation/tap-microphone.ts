import type { Page } from '@playwright/test'
import { AUDIBLE, addLevelOfBlock, type SpeakerLevel } from '../../e2e/speaker.js'

declare global {
  interface Window {
    microphoneLevels: SpeakerLevel[]
  }
}

/**
 * Listens at the page's microphone as `tapSpeaker` does at its speaker, in blocks as long, so that what one is late the other is too.
 * To be called before it: it connects its own nodes unheard.
 */
export async function tapMicrophone(page: Page): Promise<void> {
  await page.addInitScript(addLevelOfBlock, AUDIBLE)
  await page.addInitScript(() => {
    window.microphoneLevels = []
    const connect = AudioNode.prototype.connect as (this: AudioNode, ...words: unknown[]) => AudioNode
    const devices = navigator.mediaDevices
    const open = devices.getUserMedia.bind(devices)
    devices.getUserMedia = async (constraints) => {
      const stream = await open(constraints)
      const context = new AudioContext()
      const tap = context.createScriptProcessor(1024, 1, 1)
      tap.onaudioprocess = ({ inputBuffer }) => {
        window.microphoneLevels.push(window.levelOfBlock(inputBuffer))
      }
      connect.call(context.createMediaStreamSource(stream), tap)
      connect.call(tap, context.destination)
      return stream
    }
  })
}
