import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { LoadFailed } from '../office/load-failed.js'
import { useOperator } from '../office/use-operator.js'
import { Button } from '../ui/button.js'
import { DataTable } from '../ui/data-table.js'
import { EmptyState } from '../ui/placeholders.js'
import { Screen } from '../ui/screen.js'
import { teamColumns } from './team-columns.js'
import { TEAM_TEXTS } from './texts.js'
import { type Member, useTeam } from './use-team.js'

const InviteDialog = lazy(() => import('./invite-dialog.js'))
const LinkDialog = lazy(() => import('./link-dialog.js'))

/** Who may come in, and as what. */
export default function TeamScreen() {
  const { isOwner } = useOperator()
  const team = useTeam(isOwner)
  const [isInviting, setInviting] = useState(false)
  const columns = useTeamColumns(team)
  const { data, error, refetch } = team.list
  const nobody = <EmptyState icon="team" title={TEAM_TEXTS.ownersOnly} text={TEAM_TEXTS.ownersOnlyText} />
  return (
    <Screen
      title={TEAM_TEXTS.title}
      intro={TEAM_TEXTS.intro}
      fills
      actions={
        isOwner && (
          <Button look="primary" icon="add" onClick={() => setInviting(true)}>
            {TEAM_TEXTS.invite}
          </Button>
        )
      }
    >
      {error && !data ? (
        <LoadFailed error={error} retry={refetch} />
      ) : (
        <DataTable
          label={TEAM_TEXTS.title}
          columns={columns}
          rows={isOwner ? data : NONE}
          rowId={({ userId }) => userId}
          rowName={({ email }) => email}
          empty={nobody}
        />
      )}
      <Suspense>
        {isInviting && <InviteDialog close={() => setInviting(false)} invite={team.invite} />}
        {team.link && <LinkDialog sent={team.link} close={team.forgetLink} />}
      </Suspense>
    </Screen>
  )
}

const NONE: readonly Member[] = []

/** The columns stay the same, and know the newest functions. */
function useTeamColumns(team: ReturnType<typeof useTeam>) {
  const newest = useRef(team)
  useEffect(() => {
    newest.current = team
  })
  return useMemo(
    () =>
      teamColumns({
        changeRole: (...given) => newest.current.changeRole(...given),
        inviteAgain: (member) => newest.current.inviteAgain(member),
        reset: (member) => newest.current.reset(member),
        remove: (member) => newest.current.remove(member),
      }),
    [],
  )
}
