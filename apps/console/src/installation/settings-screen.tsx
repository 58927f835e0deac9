import { useQuery } from '@tanstack/react-query'
import { Notifications } from '../endpoints/notifications.js'
import { Numbers } from '../numbers/numbers.js'
import { EditorsOnly } from '../office/editors-only.js'
import { LoadFailed } from '../office/load-failed.js'
import { useOffice } from '../office/office.js'
import { useOperator } from '../office/use-operator.js'
import { Facts } from '../ui/facts.js'
import { Panel } from '../ui/panel.js'
import { Skeleton } from '../ui/placeholders.js'
import { Screen } from '../ui/screen.js'
import { Health } from './health.js'
import { Keys } from './keys.js'
import { SETTINGS_TEXTS as TEXTS } from './texts.js'

/** How this server is set up, how its parts are, and its keys. */
export default function SettingsScreen() {
  const { isOwner } = useOperator()
  return (
    <EditorsOnly title={TEXTS.title} icon="settings" texts={TEXTS}>
      <Screen title={TEXTS.title} intro={TEXTS.intro}>
        <div className="panels">
          <Health />
          <Notifications isOwner={isOwner} />
          <Numbers isOwner={isOwner} />
          <Ends />
          <Keys mayLook={isOwner} />
        </div>
      </Screen>
    </EditorsOnly>
  )
}

function Ends() {
  const office = useOffice()
  const { data, error, refetch } = useQuery({
    queryKey: ['installation', 'settings'],
    queryFn: () => office.installation.settings(),
  })
  if (error && !data) return <LoadFailed error={error} retry={refetch} />
  if (!data) return <Skeleton lines={8} />
  return (
    <>
      <Panel title={TEXTS.server}>
        <Facts
          facts={[
            { name: TEXTS.version, value: data.version },
            { name: TEXTS.node, value: data.node },
            { name: TEXTS.address, value: data.publicUrl },
            { name: TEXTS.database, value: data.database },
          ]}
        />
      </Panel>
      <Panel title={TEXTS.wires}>
        <Facts facts={data.wires.map(({ wire, end }) => ({ name: wire, value: end }))} />
      </Panel>
      <Panel title={TEXTS.modes}>
        <Facts facts={data.modes.map(({ setting, ...rest }) => ({ name: setting, ...rest }))} />
      </Panel>
    </>
  )
}
