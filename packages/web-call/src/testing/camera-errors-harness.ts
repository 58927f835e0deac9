import type { RoomEvents } from '../rooms/room-events.js'

/** What Daily (0.80.0) tells of a camera that cannot be had while the microphone can. */
export const CAMERA_ERRORS: Omit<RoomEvents['camera-error'], 'action'>[] = [
  { error: { type: 'cam-in-use', msg: 'busy' } },
  { error: { type: 'permissions', msg: 'refused', blockedMedia: ['video'] } },
  { error: { type: 'not-found', msg: 'none', missingMedia: ['video'] } },
  { error: { type: 'constraints', msg: 'too large', failedMedia: ['video'] } },
  { error: { type: 'unknown', msg: 'some' }, errorMsg: { audioOk: true } },
]
