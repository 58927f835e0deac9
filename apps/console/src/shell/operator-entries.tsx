import { useNavigate } from '@tanstack/react-router'
import { useState, useSyncExternalStore } from 'react'
import { ACCOUNT } from '../places/places.js'
import { ThemeChoice } from '../theme/theme.js'
import type { MenuButton } from '../ui/late-menu.js'
import { Menu, MenuChoice, MenuItem, MenuLine } from '../ui/menu.js'
import { SHELL_TEXTS } from './texts.js'

/** What is in the operator's menu. */
export default function OperatorEntries({
  opens,
  signOut,
  showKeys,
}: {
  opens: MenuButton
  signOut(): Promise<unknown>
  showKeys(): void
}) {
  const navigate = useNavigate()
  const [choice] = useState(() => new ThemeChoice(window))
  const theme = useSyncExternalStore(choice.subscribe, choice.get)
  return (
    <Menu side="top" isOpenAtOnce opens={opens}>
      <MenuItem icon={ACCOUNT.icon} press={() => void navigate({ to: ACCOUNT.path })}>
        {ACCOUNT.name}
      </MenuItem>
      <MenuItem icon="help" press={showKeys}>
        {SHELL_TEXTS.shortcuts}
      </MenuItem>
      <MenuLine />
      <MenuChoice
        label={SHELL_TEXTS.theme}
        options={SHELL_TEXTS.themes}
        value={theme}
        choose={(chosen) => choice.choose(chosen)}
      />
      <MenuLine />
      <MenuItem icon="leave" press={() => void signOut()}>
        {SHELL_TEXTS.signOut}
      </MenuItem>
    </Menu>
  )
}
