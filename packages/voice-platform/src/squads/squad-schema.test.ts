import { expect, it } from 'vitest'
import { refuseBrokenSquad } from './squad-check.js'
import { squadSettings } from './squad-schema.js'

const member = (name: string, more: object = {}) => ({ assistant: { name }, ...more })

it.each([
  ['an unknown setting', { members: [member('A')], extra: 1 }, 'extra'],
  ['no members', { members: [] }, 'members'],
  ['a member that is nobody', { members: [{}] }, 'assistantId or an assistant'],
  [
    'a number as a destination',
    { members: [member('A', { assistantDestinations: [{ type: 'number', number: '+12025550123' }] })] },
    'assistant',
  ],
  [
    'a mode that is not served',
    {
      members: [
        member('A', {
          assistantDestinations: [{ type: 'assistant', assistantName: 'B', transferMode: 'other' }],
        }),
      ],
    },
    'none of the modes',
  ],
  [
    'a plan that is not served',
    {
      members: [
        member('A', {
          assistantDestinations: [
            {
              type: 'assistant',
              assistantName: 'B',
              contextEngineeringPlan: { type: 'previousAssistantMessages' },
            },
          ],
        }),
      ],
    },
    'others are not served',
  ],
])('a squad with %s is refused by name', (_, squad, named) => {
  expect(JSON.stringify(squadSettings.safeParse(squad).error?.issues)).toContain(named)
})

it('a squad whose destination is no member is refused', async () => {
  const to = (assistantName: string) => ({ assistantDestinations: [{ type: 'assistant', assistantName }] })
  const nobody = async () => undefined
  await refuseBrokenSquad({ members: [member('A', to('B')), member('B')] }, nobody)
  await expect(refuseBrokenSquad({ members: [member('A', to('C'))] }, nobody)).rejects.toThrow(
    'no member is called C',
  )
  await expect(
    refuseBrokenSquad({ members: [{ assistantId: '00000000-0000-4000-8000-000000000000' }] }, nobody),
  ).rejects.toThrow('does not exist')
})
