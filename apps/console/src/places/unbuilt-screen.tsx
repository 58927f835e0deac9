import { useLocation } from '@tanstack/react-router'
import { EmptyState } from '../ui/placeholders.js'
import { Screen } from '../ui/screen.js'
import { PLACES } from './places.js'

/** A place whose screen comes with another branch. */
export default function UnbuiltScreen() {
  const { pathname } = useLocation()
  const place = PLACES.find(({ path }) => pathname.startsWith(path)) ?? PLACES[0]
  return (
    <Screen title={place.name}>
      <EmptyState icon={place.icon} title="Nothing here yet" text="Until it is: npx heyline --help" />
    </Screen>
  )
}
