import type { DailyCall } from '@daily-co/daily-js'
import { type Clock, systemClock } from '@heyline/kit/clock'
import { type MicrophoneError, openMicrophone } from '../../browser/microphone.js'
import type { RoomOptions } from '../call-room.js'
import { MicrophoneKeeper } from '../microphone-keeper.js'

/**
 * Brings the default microphone into a Daily call whose own is lost; tells `microphone-changed` or `microphone-lost` as a socket
 * room does. Neither for a track that was given, which is its giver's, nor where no microphone is asked for.
 */
export function keepMicrophone(
  call: DailyCall,
  { audioSource, startAudioOff }: RoomOptions,
  clock: Clock = systemClock,
): void {
  if (typeof audioSource === 'object' || audioSource === false) return
  let keeper: MicrophoneKeeper | undefined
  /** What was opened here, and is stopped here. */
  let own: MediaStreamTrack | undefined
  let isOn = !startAudioOff
  const setLocalAudio = call.setLocalAudio.bind(call)
  call.setLocalAudio = (enabled, options) => {
    isOn = enabled
    return setLocalAudio(enabled, options)
  }
  const tell = (action: string, fields: { error?: MicrophoneError } = {}) =>
    Reflect.apply(Reflect.get(call, 'emit'), call, [action, { action, ...fields }])
  const open = async () => {
    const [track] = (await openMicrophone(true)).getAudioTracks()
    own?.stop()
    own = track
    if (!keeper) own?.stop()
    else if (track) await call.setInputDevicesAsync({ audioSource: track })
    // Daily may take a new microphone for one that is to be heard.
    if (keeper && !isOn) setLocalAudio(false)
    return track
  }
  const follow = () => {
    const track = own ?? call.participants().local?.tracks?.audio.persistentTrack
    if (track) keeper?.watch(track)
  }
  const end = () => {
    keeper?.close()
    keeper = undefined
    own?.stop()
  }
  call.on('joined-meeting', () => {
    keeper = new MicrophoneKeeper(
      {
        open,
        onChanged: () => tell('microphone-changed'),
        onLost: (error) => tell('microphone-lost', { error }),
      },
      clock,
    )
    follow()
  })
  call.on('participant-updated', ({ participant }) => participant.local && follow())
  call.on('left-meeting', end)
  call.on('call-instance-destroyed', end)
}
