import { useNavigate } from '@tanstack/react-router'
import { PLACES } from '../places/places.js'
import type { MenuButton } from '../ui/late-menu.js'
import { Menu, MenuItem } from '../ui/menu.js'

/** The places that have no room in a phone's bar: those from `from` on. */
export default function MorePlaces({ opens, from }: { opens: MenuButton; from: number }) {
  const navigate = useNavigate()
  return (
    <Menu side="top" isOpenAtOnce opens={opens}>
      {PLACES.slice(from).map(({ path, name, icon }) => (
        <MenuItem key={path} icon={icon} press={() => void navigate({ to: path })}>
          {name}
        </MenuItem>
      ))}
    </Menu>
  )
}
