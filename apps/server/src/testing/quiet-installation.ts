import { platformTurns } from '@heyline/back-office'
import { PlatformClient } from '@heyline/platform-client'
import type { Installation } from '../http/office.js'

const notAsked = (): never => {
  throw new TypeError('not asked')
}

/** For tests that ask nothing of the installation but its keys. */
export const quietInstallation: Installation = {
  parts: {
    settings: notAsked,
    health: notAsked,
    keys: () => [{ name: 'secret', meaning: 'backend, secret', key: 'sb_secret_of_the_test' }],
    backup: async () => new Blob(['a backup']).stream(),
  },
  assistant: {
    platform: new PlatformClient({ token: 'private', baseUrl: 'http://127.0.0.1:9' }),
    assistantId: 'assistant-1',
    inTurn: platformTurns(false),
    engines: notAsked,
    testCall: undefined,
  },
  knowledge: undefined,
  tickets: undefined,
  numbers: { list: notAsked, add: notAsked, setDefault: notAsked, receive: notAsked, remove: notAsked },
}
