import type { Page } from '@playwright/test'

/** What a recognition that runs was told to hear. */
export interface HearingTrack {
  kind: string
  state: string
  lang: string
}

/**
 * Gives the page a speech recognition, which headless Chromium has no service for. It listens to the track that it is given: when
 * a voice falls silent there, it has made out these words.
 */
export async function scriptRecognition(page: Page, words: string): Promise<void> {
  await page.addInitScript((words) => {
    const running = new Set<Recognition>()
    class Recognition {
      lang = ''
      onstart = () => {}
      onend = () => {}
      onresult = (_event: object) => {}
      track: MediaStreamTrack | undefined
      start(track: MediaStreamTrack) {
        this.track = track
        running.add(this)
        this.onstart()
        const context = new AudioContext()
        const analyser = context.createAnalyser()
        context.createMediaStreamSource(new MediaStream([track])).connect(analyser)
        const samples = new Float32Array(analyser.fftSize)
        let voiced = 0
        let quiet = 0
        const timer = setInterval(() => {
          analyser.getFloatTimeDomainData(samples)
          const isLoud = samples.some((sample) => Math.abs(sample) > 0.05)
          voiced += isLoud ? 1 : 0
          quiet = isLoud ? 0 : quiet + 1
          if (!running.has(this)) {
            clearInterval(timer)
            void context.close()
          } else if (voiced > 20 && quiet > 15) {
            voiced = 0
            this.tell(words, true)
          } else if (isLoud && voiced === 20) this.tell(words.slice(0, words.indexOf(' ')), false)
        }, 20)
      }
      abort() {
        running.delete(this)
        this.onend?.()
      }
      private tell(transcript: string, isFinal: boolean) {
        this.onresult({ resultIndex: 0, results: [{ isFinal, 0: { transcript } }] })
      }
    }
    const hearing = () =>
      [...running].map(({ track, lang }) => ({ kind: track?.kind, state: track?.readyState, lang }))
    Object.assign(window, { SpeechRecognition: Recognition, webkitSpeechRecognition: Recognition, hearing })
  }, words)
}

/** The recognitions that run. */
export const hearingTracks = (page: Page): Promise<HearingTrack[]> =>
  page.evaluate(() => (window as Window & { hearing?: () => HearingTrack[] }).hearing?.() ?? [])
