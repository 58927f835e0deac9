import type { DailyCall } from '@daily-co/daily-js'
import type { RoomOptions } from './call-room.js'
import { RoomOptionError, shown } from './room-option-error.js'
import { beginsWith, isRecord, RULES, type Rule } from './room-option-rules.js'

export { RoomOptionError } from './room-option-error.js'
export { BUNDLE_LIMITS, ROOM_LIMITS } from './room-option-rules.js'

function check(option: string, name: keyof typeof RULES, value: unknown): void {
  const rule: Rule = RULES[name]
  if (!rule.holds(value)) throw new RoomOptionError(option, rule.must, (rule.given ?? shown)(value))
}

/** The fields of what was given for an option; it must be an object. */
function fields(option: string, value: unknown): Record<string, unknown> {
  check(option, 'object', value)
  return isRecord(value) ? value : {}
}

/** The fields of an option that may be left out. */
const optional = (option: string, value: unknown) => (value === undefined ? {} : fields(option, value))

export function checkUserData(data: unknown): void {
  if (data !== undefined) check('userData', 'userData', data)
}

export function checkSessionData(data: unknown): void {
  check('meeting session data', 'sessionData', data)
}

/** Background blur and image. */
export function checkInputSettings(settings: unknown): void {
  const { video } = fields('inputSettings', settings)
  const { processor } = optional('inputSettings.video', video)
  const { type, config } = optional('inputSettings.video.processor', processor)
  const option = 'inputSettings.video.processor.config'
  const given = optional(option, config ?? undefined)
  if (type === 'background-blur' && 'strength' in given)
    check(`${option}.strength`, 'blurStrength', given.strength)
  if (type === 'background-image' && given.source !== undefined)
    check(`${option}.source`, 'backgroundImage', given.source)
}

export function checkCustomIntegrations(integrations: unknown): void {
  for (const [id, given] of Object.entries(fields('customIntegrations', integrations))) {
    const option = `customIntegrations.${id}`
    const { label, location } = fields(option, given)
    check(`${option}.label`, 'label', label)
    check(`${option}.location`, 'location', location)
    check(option, 'oneSource', given)
  }
}

export function checkCustomTrayButtons(buttons: unknown): void {
  for (const [id, given] of Object.entries(fields('customTrayButtons', buttons))) {
    const button = fields(`customTrayButtons.${id}`, given)
    if ('visualState' in button)
      check(`customTrayButtons.${id}.visualState`, 'visualState', button.visualState)
  }
}

export function checkLayout(layout: unknown): void {
  const { grid } = fields('layoutConfig', layout)
  const tiles = optional('layoutConfig.grid', grid)
  for (const name of ['minTilesPerPage', 'maxTilesPerPage'])
    if (name in tiles) check(`layoutConfig.grid.${name}`, 'gridTiles', tiles[name])
}

/** `startRemoteMediaPlayer` and `updateRemoteMediaPlayer`. */
export function checkMediaPlayer(player: unknown): void {
  const { settings } = fields('remote media player', player)
  const { volume } = optional('remote media player settings', settings)
  if (volume !== undefined) check('remote media player volume', 'volume', volume)
}

export function checkCallTransfer(transfer: unknown): void {
  const { toEndPoint, callerId } = fields('call transfer', transfer)
  check('call transfer toEndPoint', 'transferTarget', toEndPoint)
  if (!beginsWith(toEndPoint, '+')) check('call transfer callerId', 'noCallerId', callerId)
}

export function checkSipRefer(refer: unknown): void {
  const { toEndPoint, callerId } = fields('SIP refer', refer)
  check('SIP refer toEndPoint', 'sipTarget', toEndPoint)
  check('SIP refer callerId', 'noCallerId', callerId)
}

export function checkDialOut(dialOut: unknown): void {
  const { phoneNumber, callerId, userId } = fields('dial-out', dialOut)
  if (phoneNumber === undefined) check('dial-out callerId', 'noCallerId', callerId)
  if (userId !== undefined) check('dial-out userId', 'dialOutUserId', userId)
}

export function checkTones(dtmf: unknown): void {
  check('DTMF tones', 'tones', fields('DTMF', dtmf).tones)
}

type Check = (given: unknown) => void

/** The options of a room that have rules; the others are Daily's own business. */
const OPTION_CHECKS: { [Name in keyof RoomOptions]?: Check } = {
  userData: checkUserData,
  inputSettings: checkInputSettings,
  customIntegrations: checkCustomIntegrations,
  customTrayButtons: checkCustomTrayButtons,
  layoutConfig: checkLayout,
}

/** Checks the options of a room before one is made, joined or loaded with them. Throws a `RoomOptionError`. */
export function checkRoomOptions(options: unknown): void {
  const given = optional('room options', options)
  for (const [name, checkOption] of Object.entries(OPTION_CHECKS))
    if (given[name] !== undefined) checkOption(given[name])
}

/** The check of the first argument of each method of Daily's call object that has rules. */
export const METHOD_CHECKS = {
  join: checkRoomOptions,
  load: checkRoomOptions,
  preAuth: checkRoomOptions,
  startCamera: checkRoomOptions,
  setUserData: checkUserData,
  setMeetingSessionData: checkSessionData,
  updateInputSettings: checkInputSettings,
  setCustomIntegrations: checkCustomIntegrations,
  updateCustomTrayButtons: checkCustomTrayButtons,
  startRemoteMediaPlayer: checkMediaPlayer,
  updateRemoteMediaPlayer: checkMediaPlayer,
  sipCallTransfer: checkCallTransfer,
  sipRefer: checkSipRefer,
  startDialOut: checkDialOut,
  sendDTMF: checkTones,
} satisfies { [Name in keyof DailyCall]?: Check }
