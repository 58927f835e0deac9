import { workletText } from './worklet-text.js'

/** Loads the audio thread's code where its file is lost. Rejects with `lost` where there is no text, or a policy without `blob:` refuses it. */
export async function addAsText(audioWorklet: AudioWorklet, lost: unknown): Promise<void> {
  if (workletText === undefined) throw lost
  const url = URL.createObjectURL(new Blob([workletText], { type: 'text/javascript' }))
  try {
    await audioWorklet.addModule(url)
  } catch {
    throw lost
  } finally {
    URL.revokeObjectURL(url)
  }
}
