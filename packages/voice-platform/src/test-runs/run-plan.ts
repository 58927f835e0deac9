import type {
  AssistantOverrides,
  CreateAssistant,
  PhoneNumber,
  TestSuiteTest,
} from '@heyline/platform-client'
import { z } from 'zod'
import { withOverrides } from '../assistants/session-assistant.js'
import { ApiError } from '../resources/api-error.js'
import type { Resource, WholeResource } from '../resources/resource-store.js'
import type { FindAssistant } from '../squads/members.js'
import { storedSuite, storedTest } from './test-suite-schema.js'

/** Most attempts of one run, most judgements, and most bytes of its tests. */
const MOST_ATTEMPTS = 50
const MOST_JUDGEMENTS = 200
const MOST_BYTES = 200_000

/** One side of the conversations. */
export interface Part {
  assistantId?: string | undefined
  /** With its overrides applied. */
  assistant: CreateAssistant
  overrides?: AssistantOverrides | undefined
  /** A member below admin has chosen the values in the overrides. */
  isOfMember: boolean
}

export interface PlannedTest extends z.output<typeof storedTest> {
  /** As the API shows it. */
  shown: TestSuiteTest
}

export interface RunPlan {
  orgId: string
  tester: Part
  target: Part
  tests: PlannedTest[]
}

export interface PlanSources {
  find: FindAssistant
  findNumber(id: string): Promise<PhoneNumber | undefined>
}

const TESTER: CreateAssistant = {
  name: 'Tester',
  firstMessageMode: 'assistant-waits-for-user',
  endCallPhrases: ['goodbye'],
  model: {
    provider: 'openai',
    messages: [
      {
        role: 'system',
        content: [
          'You play a customer who talks with an assistant. Write only what the customer says: one short turn at a time, and never the assistant’s part.',
          'Do what the script says. Once that is done, or leads no further, say goodbye.',
          'Script:\n{{test.script}}',
        ].join('\n\n'),
      },
    ],
  },
}

/** What a run plays. Rejects with an `ApiError` that says what is missing, or too much. */
export async function runPlan(
  { orgId, settings, ofMembers }: WholeResource & Pick<Resource, 'orgId'>,
  tests: readonly Resource[],
  sources: PlanSources,
): Promise<RunPlan> {
  const read = storedSuite.safeParse(settings).data
  if (!read) throw new ApiError(400, 'The suite has plans that cannot be read: store it anew.')
  const planned = tests.map((resource): PlannedTest => {
    const test = storedTest.safeParse(resource).data
    if (!test) throw new ApiError(400, `Test ${resource.id} cannot be read: store it anew.`)
    return { ...test, shown: z.custom<TestSuiteTest>().parse(resource) }
  })
  refuseSize(planned)
  const { targetPlan = {}, testerPlan = {}, phoneNumberId: oldNumberId } = read
  if (targetPlan.phoneNumber)
    throw ApiError.notServed(
      'The built-in voice platform tests assistants, and calls no other number: give targetPlan.assistantId.',
    )
  const numberId = targetPlan.phoneNumberId ?? oldNumberId
  const assistantId = targetPlan.assistantId ?? (numberId && (await behind(numberId, sources)))
  if (assistantId === undefined)
    throw new ApiError(400, 'The suite says not what is tested: give targetPlan.assistantId.')
  return {
    orgId,
    target: {
      ...(await stored(assistantId, targetPlan.assistantOverrides, sources)),
      isOfMember: ofMembers.has('targetPlan'),
    },
    tester: {
      ...(testerPlan.assistantId === undefined
        ? given(testerPlan.assistant ?? TESTER, testerPlan.assistantOverrides)
        : await stored(testerPlan.assistantId, testerPlan.assistantOverrides, sources)),
      isOfMember: ofMembers.has('testerPlan'),
    },
    tests: planned,
  }
}

function refuseSize(tests: readonly PlannedTest[]): void {
  if (tests.length === 0) throw new ApiError(400, 'The suite has no tests.')
  const attempts = tests.reduce((sum, { numAttempts = 1 }) => sum + numAttempts, 0)
  const judgements = tests.reduce(
    (sum, { numAttempts = 1, scorers }) => sum + numAttempts * scorers.length,
    0,
  )
  const bytes = tests.reduce(
    (sum, { numAttempts = 1, shown }) => sum + (1 + numAttempts) * Buffer.byteLength(JSON.stringify(shown)),
    0,
  )
  if (attempts > MOST_ATTEMPTS)
    throw new ApiError(400, `The suite has ${attempts} attempts, and a run at most ${MOST_ATTEMPTS}.`)
  if (judgements > MOST_JUDGEMENTS)
    throw new ApiError(400, `The suite has ${judgements} judgements, and a run at most ${MOST_JUDGEMENTS}.`)
  if (bytes > MOST_BYTES)
    throw new ApiError(400, 'The scripts and rubrics of the suite are too long for one run.')
}

async function behind(numberId: string, { findNumber }: PlanSources): Promise<string> {
  const number = await findNumber(numberId)
  if (!number) throw new ApiError(400, `Phone number ${numberId} does not exist.`)
  if (number.assistantId) return number.assistantId
  throw new ApiError(400, `Phone number ${numberId} has no assistant: give targetPlan.assistantId.`)
}

async function stored(
  assistantId: string,
  overrides: AssistantOverrides | undefined,
  { find }: PlanSources,
): Promise<Omit<Part, 'isOfMember'>> {
  const assistant = await find(assistantId)
  if (!assistant) throw new ApiError(400, `Assistant ${assistantId} does not exist.`)
  return { assistantId, ...given(assistant, overrides) }
}

const given = (
  assistant: CreateAssistant,
  overrides: AssistantOverrides | undefined,
): Omit<Part, 'isOfMember'> => ({
  assistant: withOverrides(assistant, overrides),
  overrides,
})
