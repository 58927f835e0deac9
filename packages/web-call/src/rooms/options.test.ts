import { describe, expect, it } from 'vitest'
import {
  BUNDLE_LIMITS,
  checkCallTransfer,
  checkCustomIntegrations,
  checkCustomTrayButtons,
  checkDialOut,
  checkInputSettings,
  checkLayout,
  checkMediaPlayer,
  checkRoomOptions,
  checkSessionData,
  checkSipRefer,
  checkTones,
  checkUserData,
  ROOM_LIMITS,
  RoomOptionError,
} from './options.js'

const blur = (strength: unknown) =>
  checkInputSettings({ video: { processor: { type: 'background-blur', config: { strength } } } })
const image = (source: unknown) =>
  checkInputSettings({ video: { processor: { type: 'background-image', config: { source } } } })
const volume = (value: unknown) => checkMediaPlayer({ session_id: 's', settings: { volume: value } })
const transfer = (toEndPoint: unknown, callerId?: string) =>
  checkCallTransfer({ sessionId: 's', toEndPoint, ...(callerId === undefined ? {} : { callerId }) })
const refer = (toEndPoint: unknown) => checkSipRefer({ sessionId: 's', toEndPoint })
const integration = (given: object) => checkCustomIntegrations({ notes: given })
const button = (visualState: unknown) =>
  checkCustomTrayButtons({ b: { iconPath: '', label: '', tooltip: '', visualState } })
const tiles = (maxTilesPerPage: unknown) => checkLayout({ grid: { maxTilesPerPage } })
const loop: { self?: object } = {}
loop.self = loop
const whole = { label: 'Notes', location: 'main', src: 'https://a.example/' }

/** Each rule with what it takes and what it refuses. */
const CASES: [rule: string, act: (value: never) => void, taken: unknown[], refused: unknown[]][] = [
  [
    'user data',
    checkUserData,
    [undefined, null, 0, {}, 'x'.repeat(4096), { x: 'y'.repeat(4096 - 8) }],
    ['x'.repeat(4097), { x: 'y'.repeat(4096 - 7) }, loop, 1n, () => {}, Symbol('s')],
  ],
  ['session data', checkSessionData, [{ x: 'y'.repeat(102_400 - 8) }], [{ x: 'y'.repeat(102_400 - 7) }]],
  ['background blur', blur, [0.01, 1], [0, -0.1, 1.01, Number.NaN, '0.5', undefined]],
  [
    'background image',
    image,
    [
      undefined,
      1,
      10,
      'default',
      new ArrayBuffer(1),
      'https://a.example/b.jpg',
      'https://a.example/b.PNG?size=1.5',
      'https://a.example/b.jpeg',
      'data:image/png;base64,AA==',
      'data:image/jpeg,AA',
    ],
    [
      0,
      11,
      1.5,
      -1,
      Number.NaN,
      '1',
      true,
      null,
      'b.jpg',
      'https://a.example/b.gif',
      'https://a.example/jpg',
      'https://a.example/b?c=.png',
      'data:image/gif;base64,AA==',
      'javascript:a.png',
      'data:text/png,AA',
    ],
  ],
  ['player volume', volume, [undefined, 0, 0.5, 2], [-0.1, 2.1, Number.NaN, '1', null]],
  [
    'call transfer',
    transfer,
    ['sip:a@b.example', '+12025550100'],
    ['a@b.example', '12025550100', 'SIP:a', '', 1],
  ],
  ['SIP refer', refer, ['sip:a@b.example'], ['+12025550100', 'a@b.example', undefined]],
  [
    'custom integration',
    integration,
    [whole, { label: 'Notes', location: 'sidebar', srcdoc: '<p>Notes</p>' }],
    [
      { ...whole, label: undefined },
      { ...whole, label: '' },
      { ...whole, location: 'top' },
      { label: 'Notes', location: 'main' },
      { ...whole, srcdoc: '' },
      null,
      [],
      'notes',
    ],
  ],
  ['custom integrations', checkCustomIntegrations, [{}], [null, [], 'notes']],
  ['tray button', button, ['default', 'sidebar-open', 'active'], ['open', '', null, undefined]],
  [
    'dial-out',
    checkDialOut,
    [
      { phoneNumber: '+1', callerId: '+2', userId: 'u'.repeat(36) },
      { sipUri: 'sip:a@b.example', userId: '' },
    ],
    [
      { sipUri: 'sip:a@b.example', callerId: '+2' },
      { phoneNumber: '+1', userId: 'u'.repeat(37) },
      { userId: 1 },
    ],
  ],
  [
    'tones',
    checkTones,
    [{ tones: '1'.repeat(20) }, { tones: '' }],
    [{ tones: '1'.repeat(21) }, { tones: 1 }, {}],
  ],
  ['grid tiles', tiles, [1, 49], [50, 0, -5, 1.5, '9', Number.NaN]],
]

describe.each(CASES)('%s', (_rule, act, taken, refused) => {
  it('takes what the rule allows', () => {
    for (const value of taken) expect(() => act(value as never), String(value)).not.toThrow()
  })

  it('refuses what it does not', () => {
    for (const value of refused) expect(() => act(value as never), typeof value).toThrow(RoomOptionError)
  })
})

it('takes a caller id for a phone number only', () => {
  expect(() => transfer('+12025550100', '+12025550101')).not.toThrow()
  expect(() => transfer('sip:a@b.example', '+12025550101')).toThrow(RoomOptionError)
})

describe('what a refusal says', () => {
  it.each<[() => void, string]>([
    [
      () => checkUserData('x'.repeat(5000)),
      'userData must be serialisable as JSON of at most 4096 characters, but is 5000 characters long.',
    ],
    [
      () => checkUserData(loop),
      'userData must be serialisable as JSON of at most 4096 characters, but is not serialisable.',
    ],
    [
      () => blur(2),
      'inputSettings.video.processor.config.strength must be a number above 0 and up to 1, but is 2.',
    ],
    [
      () => image(11),
      'inputSettings.video.processor.config.source must be a preset (an integer from 1 to 10), or the address of an image of type jpg, png, jpeg, but is 11.',
    ],
    [() => volume(3), 'remote media player volume must be a number from 0.0 to 2.0, but is 3.'],
    [() => transfer('555'), 'call transfer toEndPoint must begin with sip: or +, but is "555".'],
    [
      () => transfer('sip:a', '+1'),
      'call transfer callerId must be left out unless the target is a phone number, but is "+1".',
    ],
    [() => refer('+1'), 'SIP refer toEndPoint must begin with sip:, but is "+1".'],
    [
      () => integration({ ...whole, location: {} }),
      'customIntegrations.notes.location must be main or sidebar, but is an object.',
    ],
    [
      () => integration({ label: 'a', location: 'main' }),
      'customIntegrations.notes must have exactly one of src and srcdoc, but is given neither.',
    ],
    [
      () => integration({ ...whole, srcdoc: '' }),
      'customIntegrations.notes must have exactly one of src and srcdoc, but is given both.',
    ],
    [
      () => button('open'),
      'customTrayButtons.b.visualState must be default, sidebar-open or active, but is "open".',
    ],
    [
      () => checkDialOut({ userId: 'u'.repeat(99) }),
      'dial-out userId must be text of at most 36 characters, but is text of 99 characters.',
    ],
    [
      () => checkTones({ tones: [1] }),
      'DTMF tones must be text of at most 20 characters, but is a list of 1.',
    ],
    [() => tiles(50), 'layoutConfig.grid.maxTilesPerPage must be an integer from 1 to 49, but is 50.'],
    [
      () => checkUserData(() => {}),
      'userData must be serialisable as JSON of at most 4096 characters, but is not serialisable.',
    ],
    [() => checkCustomIntegrations(null), 'customIntegrations must be an object, but is null.'],
  ])('%#', (act, text) => {
    expect(act).toThrow(RoomOptionError)
    expect(act).toThrow(text)
  })
})

describe('the options of a room', () => {
  it('leaves those without a rule to the room', () => {
    expect(() => checkRoomOptions(undefined)).not.toThrow()
    expect(() =>
      checkRoomOptions({ audioSource: true, dailyConfig: { micAudioMode: 'speech' } }),
    ).not.toThrow()
  })

  it.each([
    ['userData', 'x'.repeat(4097)],
    ['inputSettings', { video: { processor: { type: 'background-blur', config: { strength: 2 } } } }],
    ['customIntegrations', { a: {} }],
    ['customTrayButtons', { a: { visualState: 'open' } }],
    ['layoutConfig', { grid: { maxTilesPerPage: 50 } }],
  ])('checks %s, and names it', (option, value) => {
    expect(() => checkRoomOptions({ [option]: value })).toThrow(new RegExp(`^${option}`))
    expect(() => checkRoomOptions({ [option]: undefined })).not.toThrow()
  })
})

it('holds the limits of the specification', () => {
  expect(ROOM_LIMITS).toMatchObject({ message: 4096, sessionData: 102_400, gridTiles: 49, userData: 4096 })
  expect(BUNDLE_LIMITS).toEqual({ timeoutMs: 20_000, attempts: 3, retryDelayMs: 3_000 })
})
