import { useRouteContext } from '@tanstack/react-router'
import { ApiKeys } from '../api-keys/api-keys.js'
import { Home } from '../screens/home.js'

/** The operator's own account: factors, sessions, password, API keys. */
export default function AccountScreen() {
  const { session, settings, operator, factors } = useRouteContext({ from: '__root__' })
  return (
    <Home session={session} operator={operator} factors={factors} hasAdditions={settings.additions}>
      <ApiKeys role={operator.role} />
    </Home>
  )
}
