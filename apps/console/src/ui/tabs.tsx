import { Tabs as Base } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'

export interface Tab<Value extends string> {
  value: Value
  label: string
  panel: ReactNode
}

/** Parts of a screen, one at a time. Whoever keeps `value` in the address makes a part that can be linked to. */
export function Tabs<Value extends string>({
  label,
  tabs,
  value,
  choose,
}: {
  label: string
  tabs: readonly Tab<Value>[]
  value: NoInfer<Value>
  choose(value: Value): void
}) {
  return (
    <Base.Root className="tabs" value={value} onValueChange={(chosen: Value) => choose(chosen)}>
      <Base.List className="tab-list" aria-label={label}>
        {tabs.map((tab) => (
          <Base.Tab key={tab.value} value={tab.value} className="tab">
            {tab.label}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel key={tab.value} value={tab.value} className="tab-panel">
          {tab.panel}
        </Base.Panel>
      ))}
    </Base.Root>
  )
}
