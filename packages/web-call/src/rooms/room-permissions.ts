/** Kinds of media that a participant may send. */
export type SendableMedia = 'video' | 'audio' | 'screenVideo' | 'screenAudio' | 'customVideo' | 'customAudio'

/** Parts of a room that a participant may administer. */
export type AdminPower = 'participants' | 'streaming' | 'transcription'

/** What a participant may do in a room (spec 6). `true` stands for everything, `false` for nothing. */
export interface RoomPermissions {
  hasPresence: boolean
  canSend: Set<SendableMedia> | boolean
  canReceive: { base: boolean | object }
  canAdmin: Set<AdminPower> | boolean
}

/** How far a participant has been let in (spec 4); `unknown` before the room has answered. */
export type AccessLevel = 'full' | 'lobby' | 'none'

export interface AccessState {
  access: 'unknown' | { level: AccessLevel }
  awaitingAccess?: { level: AccessLevel }
}
