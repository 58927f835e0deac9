import type { TestCall } from '@heyline/call-desk'
import type { PlatformClient } from '@heyline/platform-client'
import { isOwner } from '../access/asked.js'
import { StoredAssistant } from '../assistant/stored-assistant.js'
import { StoredVersions } from '../assistant/stored-versions.js'
import type { GivenBy } from '../operations/operation.js'
import type { Operations } from '../operations/operations.js'
import { OperatorsError } from '../operators/operators-error.js'
import type { HandlersOf } from './handlers.js'
import type { PlatformTurns } from './platform-turns.js'

export interface AssistantParts {
  /** With the private key. */
  platform: Pick<PlatformClient, 'assistants'>
  assistantId: string
  inTurn: PlatformTurns
  engines: () => GivenBy<Operations['assistant']['engines']>
  /** Undefined where our own call desk is off: nobody would watch the money. */
  testCall: ((operator: string) => Promise<TestCall>) | undefined
}

export function assistantHandlers({
  platform,
  assistantId,
  inTurn,
  engines,
  testCall,
}: AssistantParts): HandlersOf<'assistant'> {
  const assistant = new StoredAssistant(platform, assistantId)
  const versions = new StoredVersions(platform.assistants, assistantId)
  return {
    show: (_, asked) => inTurn(asked, () => assistant.show()),
    update: (changes, asked) => inTurn(asked, () => assistant.update(changes)),
    setLimits: (limits, asked) => inTurn(asked, () => assistant.setLimits(limits)),
    versions: (_, asked) => inTurn(asked, () => versions.list()),
    version: ({ version }, asked) => inTurn(asked, () => versions.show(version)),
    restore: ({ version }, asked) => {
      const rights = {
        mayChangeAll: isOwner(asked),
        // They need a second factor of an owner.
        keepsLimits: asked.operator !== undefined,
      }
      return inTurn(asked, () => versions.restore(version, rights))
    },
    engines,
    testCall: async (_, { actor, operator }) => {
      if (!testCall)
        throw new OperatorsError(
          'no_test_calls',
          'Our own call desk is off (CALL_WEBHOOK_URL and PLATFORM_URL are set), and it begins the test calls',
        )
      return callOf(await testCall(operator?.userId ?? actor.name))
    },
  }
}

function callOf(made: TestCall) {
  switch (made.result) {
    case 'made':
      return made.call
    case 'too_many':
      throw new OperatorsError(
        'too_many_test_calls',
        'You began several test calls: wait a minute, and try again',
      )
    case 'failed':
      throw new OperatorsError(
        'platform_unreachable',
        'The voice platform made no call: look at Settings, then try again',
      )
    default:
      throw new OperatorsError(
        'test_call_refused',
        'Calls are paused, or the money for browser calls is spent: look at Safety',
      )
  }
}
