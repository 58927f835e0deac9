/** Kinds of media that a participant may send. */
export type SendableMedia = 'video' | 'audio' | 'screenVideo' | 'screenAudio' | 'customVideo' | 'customAudio'

/** Parts of a room that a participant may administer. */
export type AdminPower = 'participants' | 'streaming' | 'transcription'

type Media = Exclude<SendableMedia, 'customVideo' | 'customAudio'>
type CustomMedia = Exclude<SendableMedia, Media>

/** Whether each kind of media is received; of the custom ones by the name of the track, `*` standing for the others. */
export type ReceivableMedia = Record<Media, boolean> &
  Record<CustomMedia, { '*': boolean; [track: string]: boolean }>

/** Like `ReceivableMedia`; what is left out is as in the base. */
export type ReceivableException = Partial<Record<Media, boolean>> &
  Partial<Record<CustomMedia, Record<string, boolean>>>

/** What a participant may do in a room (spec 6). `true` stands for everything, `false` for nothing. */
export interface RoomPermissions {
  hasPresence: boolean
  canSend: Set<SendableMedia> | boolean
  canReceive: {
    base: ReceivableMedia | boolean
    byUserId?: Record<string, ReceivableException | boolean>
    byParticipantId?: Record<string, ReceivableException | boolean>
  }
  canAdmin: Set<AdminPower> | boolean
}

/** How far a participant has been let in (spec 4); `unknown` before the room has answered. */
export type AccessLevel = 'full' | 'lobby' | 'none'

export interface AccessState {
  access: 'unknown' | { level: AccessLevel }
  awaitingAccess?: { level: AccessLevel }
}
