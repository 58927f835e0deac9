import { useEffect, useLayoutEffect, useState } from 'react'
import { Demo } from '../demo/demo.js'
import { whenIdle } from '../demo/idle.js'
import type { Settings } from '../document/settings.js'
import { TEXTS } from '../document/texts.js'
import { useStore } from '../state/use-store.js'
import type { AssistantTexts, Greeted } from '../visitor/visitor.js'
import { CallMe } from './call-me.js'
import { pressAgain } from './early-press.js'
import { Greeting } from './greeting.js'
import { Mark } from './mark.js'
import { ScriptsOff } from './scripts-off.js'

interface DemoScreenProps {
  visitor: Greeted
  settings: Settings
  assistantTexts?: AssistantTexts
}

/** The main screen (spec 2.3): greeting and pitch first, the rest a second later. */
export function DemoScreen({ visitor, settings, assistantTexts }: DemoScreenProps) {
  const [demo] = useState(() => new Demo(visitor, settings, assistantTexts))
  const { phase } = useStore(demo.call)
  useEffect(() => whenIdle(() => demo.workAtIdle()), [demo])
  // With the buttons' own code, and not after it: a press between the two would count twice.
  useLayoutEffect(pressAgain, [])

  return (
    <div className="screen">
      <main className="content">
        <Mark phase={phase} />
        <Greeting name={visitor.name} />
        <p className="pitch fade-first">{TEXTS.pitch}</p>
        <div className="fade-then">
          <p className="choice">{TEXTS.choice}</p>
          <ScriptsOff />
          <CallMe demo={demo} />
        </div>
      </main>
      <footer className="footer fade-then">
        <a href={settings.websiteUrl} target="_blank" rel="noopener noreferrer">
          {TEXTS.website}
        </a>
      </footer>
    </div>
  )
}
