export { ManualClock } from '@heyline/kit/manual-clock'
export { CallStory, type Told } from './call-story.js'
export { ScriptedAudioDevice } from './scripted-audio-device.js'
export { ASSISTANT, type RoomScript, ScriptedRoom } from './scripted-room.js'
