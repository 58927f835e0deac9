import type { DailyCall } from '@daily-co/daily-js'
import type { WallClock } from '@heyline/kit/wall-clock'
import type { RoomOptions } from '../call-room.js'
import type { MicrophoneKeeper } from '../microphone-keeper.js'

/** What it takes to open another one: handed in, so that the library's chunk has no copy of it. */
export interface MicrophoneMeans {
  openMicrophone(source: true): Promise<MediaStream>
  clock: WallClock
}

/**
 * Brings the default microphone into a Daily call whose own is lost; tells `microphone-changed` or `microphone-lost` as a socket
 * room does. Neither for a track that was given, which is its giver's, nor where no microphone is asked for.
 */
export function keepMicrophone(
  call: DailyCall,
  { audioSource, startAudioOff }: RoomOptions,
  { openMicrophone, clock }: MicrophoneMeans,
): void {
  if (typeof audioSource === 'object' || audioSource === false) return
  let keeper: MicrophoneKeeper | undefined
  /** What was opened here, and is stopped here. */
  let own: MediaStreamTrack | undefined
  let isOn = !startAudioOff
  let isOver = false
  const setLocalAudio = call.setLocalAudio.bind(call)
  call.setLocalAudio = (enabled, options) => {
    isOn = enabled
    return setLocalAudio(enabled, options)
  }
  const tell = (action: string, fields: { error?: Error } = {}) =>
    Reflect.apply(Reflect.get(call, 'emit'), call, [action, { action, ...fields }])
  const open = async () => {
    const [track] = (await openMicrophone(true)).getAudioTracks()
    own?.stop()
    own = track
    if (isOver) own?.stop()
    else if (track) await call.setInputDevicesAsync({ audioSource: track })
    // Daily may take a new microphone for one that is to be heard.
    if (!isOver && !isOn) setLocalAudio(false)
    return track
  }
  const follow = () => {
    const track = own ?? call.participants().local?.tracks?.audio.persistentTrack
    if (track) keeper?.watch(track)
  }
  const end = () => {
    isOver = true
    keeper?.close()
    own?.stop()
  }
  const begin = async () => {
    const { MicrophoneKeeper } = await import('../microphone-keeper.js')
    if (isOver) return
    const onChanged = () => tell('microphone-changed')
    const onLost = (error: Error) => tell('microphone-lost', { error })
    keeper = new MicrophoneKeeper({ open, onChanged, onLost }, clock)
    follow()
  }
  call.on('joined-meeting', () => void begin().catch(console.warn))
  call.on('participant-updated', ({ participant }) => participant.local && follow())
  call.on('left-meeting', end)
  call.on('call-instance-destroyed', end)
}
