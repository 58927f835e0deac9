import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import type { MenuButton } from '../ui/late-menu.js'
import { Menu, MenuItem, MenuLine } from '../ui/menu.js'
import { VISITORS_TEXTS } from './texts.js'
import { useVisitorChanges } from './use-visitor-changes.js'
import type { VisitorLine } from './visitor-line.js'

const ShareDialog = lazy(() => import('./share-dialog.js'))

/** The menu of one visitor, open at once: its button was pressed. */
export default function RowEntries({
  button,
  visitor,
  mayChange,
}: {
  button: MenuButton
  visitor: VisitorLine
  mayChange: boolean
}) {
  const { slug, name, link } = visitor
  const changes = useVisitorChanges()
  const navigate = useNavigate()
  const [isShared, share] = useState(false)
  return (
    <>
      <Menu opens={button} isOpenAtOnce>
        <MenuItem icon="copy" press={() => void changes.copyLinks([link])}>
          {VISITORS_TEXTS.copyLink}
        </MenuItem>
        <MenuItem icon="link" press={() => share(true)}>
          {VISITORS_TEXTS.share}
        </MenuItem>
        <MenuItem icon="timeline" press={() => void navigate({ to: '/timeline/$slug', params: { slug } })}>
          {VISITORS_TEXTS.timeline}
        </MenuItem>
        {mayChange && (
          <>
            <MenuLine />
            <MenuItem icon="edit" press={() => void navigate({ to: '/visitors/$slug', params: { slug } })}>
              {VISITORS_TEXTS.edit}
            </MenuItem>
            <MenuItem icon="add" press={() => void changes.duplicate(slug)}>
              {VISITORS_TEXTS.duplicate}
            </MenuItem>
            <MenuItem icon="remove" isDangerous press={() => void changes.remove(slug, name)}>
              {VISITORS_TEXTS.remove}
            </MenuItem>
          </>
        )}
      </Menu>
      {isShared && (
        <Suspense>
          <ShareDialog visitor={visitor} close={() => share(false)} />
        </Suspense>
      )}
    </>
  )
}
