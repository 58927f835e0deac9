export type Verdict = 'taken' | 'refused'

/** A value as JavaScript, what the specification says of it, and what Daily says where that differs. */
type Case = [value: string, specified: Verdict, daily?: Verdict]

export interface RuleOfTwo {
  rule: string
  /** Our check, and Daily's own method, as JavaScript over `value`. */
  ours: string
  daily: string
  cases: Case[]
}

const USER_DATA: Case[] = [
  ['undefined', 'taken'],
  ['null', 'taken'],
  ['{ a: [1, "b"] }', 'taken'],
  ['"x".repeat(4096)', 'taken'],
  ['"x".repeat(4097)', 'refused'],
  ['{ x: "y".repeat(4088) }', 'taken'],
  ['{ x: "y".repeat(4089) }', 'refused'],
  ['1n', 'refused'],
  ['() => {}', 'refused'],
  ['Symbol("s")', 'refused'],
  ['(() => { const loop = {}; loop.self = loop; return loop })()', 'refused'],
]

const BLUR: Case[] = [
  ['{}', 'taken'],
  ['{ strength: 0.01 }', 'taken'],
  ['{ strength: 1 }', 'taken'],
  ['{ strength: 0 }', 'refused'],
  ['{ strength: -1 }', 'refused'],
  ['{ strength: 1.01 }', 'refused'],
  ['{ strength: NaN }', 'refused'],
  ['{ strength: "0.5" }', 'refused'],
  ['{ strength: undefined }', 'refused'],
]

const IMAGE: Case[] = [
  ['undefined', 'taken'],
  ['1', 'taken'],
  ['10', 'taken'],
  ['"default"', 'taken'],
  ['new ArrayBuffer(8)', 'taken'],
  ['0', 'refused'],
  ['11', 'refused'],
  ['1.5', 'refused'],
  ['NaN', 'refused'],
  ['null', 'refused'],
  // A preset is an integer by the specification; Daily takes what Number() makes one of.
  ['"1"', 'refused', 'taken'],
  ['true', 'refused', 'taken'],
  ['"https://a.example/b.jpg"', 'taken'],
  ['"https://a.example/b.PNG?size=1.5"', 'taken'],
  ['"https://a.example/b.jpeg"', 'taken'],
  ['"https://a.example/b.gif"', 'refused'],
  ['"https://a.example/b"', 'refused'],
  ['"b.jpg"', 'refused'],
  // No image comes of a script; Daily looks at the ending only.
  ['"javascript:a.png"', 'refused', 'taken'],
  ['"data:image/png;base64,AA=="', 'taken'],
  ['"data:image/gif;base64,AA=="', 'refused'],
  // The type of these is allowed; Daily reads it only up to a semicolon and in small letters.
  ['"data:image/jpeg,AA"', 'taken', 'refused'],
  ['"data:image/PNG;base64,AA=="', 'taken', 'refused'],
  // And this is not an image at all.
  ['"data:text/png;base64,AA=="', 'refused', 'taken'],
]

const VOLUME: Case[] = [
  ['undefined', 'taken'],
  ['0', 'taken'],
  ['2', 'taken'],
  ['-0.1', 'refused'],
  ['2.1', 'refused'],
  ['"1"', 'refused'],
  // No numbers from 0.0 to 2.0; Daily looks at no value that counts as false.
  ['NaN', 'refused', 'taken'],
  ['null', 'refused', 'taken'],
]

const processor = (type: string, config: string) =>
  `{ video: { processor: { type: '${type}', config: ${config} } } }`
const integration = '{ notes: value }'
const button = '{ b: { iconPath: "https://a.example/i.png", label: "l", tooltip: "t", ...value } }'
const SRC = 'src: "https://a.example/"'

/** Every option rule of a call room (spec 5 and 9). */
export const OPTION_RULES: RuleOfTwo[] = [
  {
    rule: 'user data of a room',
    ours: 'options.checkRoomOptions({ userData: value })',
    daily: 'made({ userData: value })',
    cases: USER_DATA,
  },
  {
    rule: 'user data set in a call',
    ours: 'options.checkUserData(value)',
    daily: 'joined((call) => call.setUserData(value))',
    cases: USER_DATA,
  },
  {
    rule: 'background blur of a room',
    ours: `options.checkRoomOptions({ inputSettings: ${processor('background-blur', 'value')} })`,
    daily: `made({ inputSettings: ${processor('background-blur', 'value')} })`,
    cases: BLUR,
  },
  {
    rule: 'background blur set in a call',
    ours: `options.checkInputSettings(${processor('background-blur', 'value')})`,
    daily: `joined((call) => call.updateInputSettings(${processor('background-blur', 'value')}))`,
    cases: BLUR,
  },
  {
    rule: 'background image',
    ours: `options.checkInputSettings(${processor('background-image', '{ source: value }')})`,
    daily: `made({ inputSettings: ${processor('background-image', '{ source: value }')} })`,
    cases: IMAGE,
  },
  {
    rule: 'volume of a remote media player that starts',
    ours: 'options.checkMediaPlayer({ url: "https://a.example/", settings: { volume: value } })',
    daily:
      'joined((call) => call.startRemoteMediaPlayer({ url: "https://a.example/", settings: { volume: value } }))',
    cases: VOLUME,
  },
  {
    rule: 'volume of a remote media player',
    ours: 'options.checkMediaPlayer({ session_id: "s", settings: { volume: value } })',
    daily: 'joined((call) => call.updateRemoteMediaPlayer({ session_id: "s", settings: { volume: value } }))',
    cases: VOLUME,
  },
  {
    rule: 'target of a call transfer, and its caller id',
    ours: 'options.checkCallTransfer({ sessionId: "s", ...value })',
    daily: 'joined((call) => call.sipCallTransfer({ sessionId: "s", ...value }))',
    cases: [
      ['{ toEndPoint: "sip:a@b.example" }', 'taken'],
      ['{ toEndPoint: "+12025550100" }', 'taken'],
      ['{ toEndPoint: "a@b.example" }', 'refused'],
      ['{ toEndPoint: "SIP:a@b.example" }', 'refused'],
      ['{ toEndPoint: "12025550100" }', 'refused'],
      ['{ toEndPoint: 1 }', 'refused'],
      ['{}', 'refused'],
      ['{ toEndPoint: "+12025550100", callerId: "+12025550101" }', 'taken'],
      ['{ toEndPoint: "sip:a@b.example", callerId: "+12025550101" }', 'refused'],
      // An empty caller id is one; Daily takes it for none.
      ['{ toEndPoint: "sip:a@b.example", callerId: "" }', 'refused', 'taken'],
    ],
  },
  {
    rule: 'target of a SIP refer',
    ours: 'options.checkSipRefer({ sessionId: "s", ...value })',
    daily: 'joined((call) => call.sipRefer({ sessionId: "s", ...value }))',
    cases: [
      ['{ toEndPoint: "sip:a@b.example" }', 'taken'],
      ['{ toEndPoint: "+12025550100" }', 'refused'],
      ['{ toEndPoint: "a@b.example" }', 'refused'],
      ['{}', 'refused'],
      ['{ toEndPoint: "sip:a@b.example", callerId: "+12025550101" }', 'refused'],
    ],
  },
  {
    rule: 'custom integration',
    ours: `options.checkRoomOptions({ customIntegrations: ${integration} })`,
    daily: `made({ customIntegrations: ${integration} })`,
    cases: [
      [`{ label: "l", location: "main", ${SRC} }`, 'taken'],
      ['{ label: "l", location: "sidebar", srcdoc: "<p>" }', 'taken'],
      [`{ location: "main", ${SRC} }`, 'refused'],
      [`{ label: "l", ${SRC} }`, 'refused'],
      [`{ label: "l", location: "top", ${SRC} }`, 'refused'],
      ['{ label: "l", location: "main" }', 'refused'],
      [`{ label: "l", location: "main", ${SRC}, srcdoc: "<p>" }`, 'refused'],
      // Labels are needed; Daily takes anything under that name.
      [`{ label: "", location: "main", ${SRC} }`, 'refused', 'taken'],
      [`{ label: undefined, location: "main", ${SRC} }`, 'refused', 'taken'],
    ],
  },
  {
    rule: 'custom integrations',
    ours: 'options.checkRoomOptions({ customIntegrations: value })',
    daily: 'made({ customIntegrations: value })',
    cases: [
      ['{}', 'taken'],
      ['null', 'refused'],
      ['[]', 'refused'],
      ['"notes"', 'refused'],
    ],
  },
  {
    rule: 'visual state of a tray button',
    ours: `options.checkRoomOptions({ customTrayButtons: ${button} })`,
    daily: `made({ customTrayButtons: ${button} })`,
    cases: [
      ['{}', 'taken'],
      ['{ visualState: "default" }', 'taken'],
      ['{ visualState: "sidebar-open" }', 'taken'],
      ['{ visualState: "active" }', 'taken'],
      ['{ visualState: "open" }', 'refused'],
      ['{ visualState: "" }', 'refused'],
      ['{ visualState: undefined }', 'refused'],
    ],
  },
  {
    rule: 'tiles of a grid',
    ours: 'options.checkRoomOptions({ layoutConfig: { grid: value } })',
    daily: 'made({ layoutConfig: { grid: value } })',
    cases: [
      ['{}', 'taken'],
      ['{ maxTilesPerPage: 49 }', 'taken'],
      ['{ maxTilesPerPage: 50 }', 'refused'],
      ['{ maxTilesPerPage: 1.5 }', 'refused'],
      ['{ maxTilesPerPage: "9" }', 'refused'],
      // No grid has no tiles, and none more than 49; Daily holds each of the two numbers to one of these.
      ['{ maxTilesPerPage: 0 }', 'refused', 'taken'],
      ['{ maxTilesPerPage: -5 }', 'refused', 'taken'],
      ['{ minTilesPerPage: 1 }', 'taken'],
      ['{ minTilesPerPage: 0 }', 'refused'],
      ['{ minTilesPerPage: 50 }', 'refused', 'taken'],
    ],
  },
  {
    rule: 'dial-out',
    ours: 'options.checkDialOut(value)',
    daily: 'joined((call) => call.startDialOut(value))',
    cases: [
      ['{ phoneNumber: "+12025550100", callerId: "id" }', 'taken'],
      ['{ sipUri: "sip:a@b.example" }', 'taken'],
      ['{ sipUri: "sip:a@b.example", callerId: "id" }', 'refused'],
      ['{ phoneNumber: "+12025550100", userId: "u".repeat(36) }', 'taken'],
      ['{ phoneNumber: "+12025550100", userId: "u".repeat(37) }', 'refused'],
      ['{ phoneNumber: "+12025550100", userId: 1 }', 'refused'],
    ],
  },
  {
    rule: 'DTMF tones',
    ours: 'options.checkTones({ sessionId: "s", tones: value })',
    daily: 'joined((call) => call.sendDTMF({ sessionId: "s", tones: value }))',
    cases: [
      ['"0123456789ABCD*#1234"', 'taken'],
      ['"0123456789ABCD*#12345"', 'refused'],
      ['1', 'refused'],
      ['undefined', 'refused'],
    ],
  },
  {
    rule: 'size of the data of a meeting session',
    ours: 'options.checkSessionData(value)',
    daily: 'joined((call) => call.setMeetingSessionData(value))',
    cases: [
      ['{ x: "y".repeat(102392) }', 'taken'],
      ['{ x: "y".repeat(102393) }', 'refused'],
    ],
  },
  {
    rule: 'size of a message',
    ours: 'within(value, options.ROOM_LIMITS.message)',
    daily: 'joined((call) => call.sendAppMessage(value))',
    cases: [
      ['"x".repeat(4094)', 'taken'],
      ['"x".repeat(4095)', 'refused'],
      ['{ x: "y".repeat(4088) }', 'taken'],
      ['{ x: "y".repeat(4089) }', 'refused'],
    ],
  },
]
