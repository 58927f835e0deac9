import { useNavigate, useSearch } from '@tanstack/react-router'
import { Screen } from '../ui/screen.js'
import { Tabs } from '../ui/tabs.js'
import { DoNotCallPanel } from './do-not-call-panel.js'
import { LimitsPanel } from './limits-panel.js'
import { RefusalsPanel } from './refusals-panel.js'
import './safety.css'
import { SpendPanel } from './spend-panel.js'
import { SAFETY_TEXTS } from './texts.js'

const TABS = [
  { value: 'limits', label: SAFETY_TEXTS.limits, panel: <LimitsPanel /> },
  { value: 'spend', label: SAFETY_TEXTS.spend, panel: <SpendPanel /> },
  { value: 'refusals', label: SAFETY_TEXTS.refusals, panel: <RefusalsPanel /> },
  { value: 'do-not-call', label: SAFETY_TEXTS.doNotCall, panel: <DoNotCallPanel /> },
] as const

/** What keeps calls, and what they cost, within bounds. */
export default function SafetyScreen() {
  const { part = 'limits' } = useSearch({ from: '/safety' })
  const navigate = useNavigate({ from: '/safety' })
  return (
    <Screen title={SAFETY_TEXTS.title}>
      <Tabs
        label={SAFETY_TEXTS.parts}
        tabs={TABS}
        value={part}
        choose={(next) => void navigate({ search: { part: next } })}
      />
    </Screen>
  )
}
