import type { MenuButton } from '../ui/late-menu.js'
import { Menu, MenuItem } from '../ui/menu.js'
import { VISITORS_TEXTS } from './texts.js'
import { useVisitorChanges } from './use-visitor-changes.js'

/** For whom the file is, open at once: its button was pressed. */
export default function ExportEntries({ button }: { button: MenuButton }) {
  const { exportCsv } = useVisitorChanges()
  return (
    <Menu opens={button} isOpenAtOnce>
      <MenuItem press={() => void exportCsv({ safe: true })}>{VISITORS_TEXTS.exportSafe}</MenuItem>
      <MenuItem press={() => void exportCsv({ safe: false })}>{VISITORS_TEXTS.exportPlain}</MenuItem>
    </Menu>
  )
}
