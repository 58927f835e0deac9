import { roleChoices } from '../office/roles.js'
import { Badge } from '../ui/badge.js'
import { IconButton } from '../ui/button.js'
import { Menu, MenuItem } from '../ui/menu.js'
import { Select } from '../ui/select.js'
import type { TableColumn } from '../ui/table-column.js'
import { RelativeTime } from '../ui/values.js'
import { TEAM_TEXTS } from './texts.js'
import type { Member, Team } from './use-team.js'

const ROLES = roleChoices('owner')

/** Who it is, as what, since when, and what an owner can do. */
export const teamColumns = (
  team: Pick<Team, 'changeRole' | 'inviteAgain' | 'reset' | 'remove'>,
): readonly TableColumn<Member>[] => [
  { id: 'email', header: TEAM_TEXTS.who, isTitle: true, share: 3, cell: ({ email }) => email },
  {
    id: 'role',
    header: TEAM_TEXTS.role,
    cell: (member) => (
      <Select
        label={TEAM_TEXTS.roleOf(member.email)}
        isBare
        options={ROLES}
        value={member.role}
        choose={(role) => team.changeRole(member, role)}
      />
    ),
  },
  {
    id: 'state',
    header: TEAM_TEXTS.state,
    cell: ({ joinedAt }) =>
      joinedAt ? (
        <Badge tone="good">{TEAM_TEXTS.active}</Badge>
      ) : (
        <Badge tone="wait">{TEAM_TEXTS.pending}</Badge>
      ),
  },
  {
    id: 'seen',
    header: TEAM_TEXTS.seen,
    cell: ({ lastSeenAt }) => (lastSeenAt ? <RelativeTime at={lastSeenAt} /> : TEAM_TEXTS.never),
  },
  {
    id: 'actions',
    header: TEAM_TEXTS.actions,
    align: 'end',
    isMenu: true,
    cell: (member) => (
      <Menu opens={<IconButton name={TEAM_TEXTS.actionsOf(member.email)} icon="more" />}>
        {member.joinedAt ? (
          <MenuItem icon="link" press={() => team.reset(member)}>
            {TEAM_TEXTS.reset}
          </MenuItem>
        ) : (
          <MenuItem icon="link" press={() => team.inviteAgain(member)}>
            {TEAM_TEXTS.newInvitation}
          </MenuItem>
        )}
        <MenuItem icon="remove" isDangerous press={() => team.remove(member)}>
          {TEAM_TEXTS.remove}
        </MenuItem>
      </Menu>
    ),
  },
]
