import { useRouteContext } from '@tanstack/react-router'
import { Home } from '../screens/home.js'

/** The operator's own account: factors, sessions, password. */
export default function AccountScreen() {
  const { session, settings, operator, factors } = useRouteContext({ from: '__root__' })
  return <Home session={session} operator={operator} factors={factors} hasAdditions={settings.additions} />
}
