import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useDeferredValue } from 'react'
import { useOffice } from '../office/office.js'
import { ACCOUNT, PLACES } from '../places/places.js'
import { Icon, type IconName } from '../ui/icon.js'
import { matching } from './matching.js'
import { SHELL_TEXTS } from './texts.js'
import { useCallSwitch } from './use-call-switch.js'

/** Visitors that are shown of those that match. */
const MOST_VISITORS = 8

interface Entry {
  id: string
  label: string
  icon: IconName
  do(): void
}

interface PaletteProps {
  text: string
  setText(text: string): void
  close(): void
  mayChangeCalls: boolean
  signOut(): Promise<unknown>
  showKeys(): void
}

/** One field that leads to every place, action and visitor by name. */
export default function Palette(props: PaletteProps) {
  const { text, setText } = props
  const groups = useEntries(useDeferredValue(text), props)
  return (
    <Dialog.Root open onOpenChange={(open) => !open && props.close()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="dialog palette" aria-label={SHELL_TEXTS.palette}>
          <Autocomplete.Root
            inline
            open
            items={groups}
            filter={null}
            autoHighlight="always"
            keepHighlight
            value={text}
            onValueChange={setText}
            itemToStringValue={(entry: Entry) => entry.label}
          >
            <div className="palette-field">
              <Icon name="search" />
              <Autocomplete.Input
                aria-label={SHELL_TEXTS.palette}
                placeholder={SHELL_TEXTS.paletteHint}
                maxLength={200}
              />
            </div>
            <Autocomplete.Empty className="palette-empty">{SHELL_TEXTS.paletteNothing}</Autocomplete.Empty>
            <Autocomplete.List className="palette-list">
              {(group: Group) => (
                <Autocomplete.Group key={group.label} items={group.items}>
                  <Autocomplete.GroupLabel className="popup-label">{group.label}</Autocomplete.GroupLabel>
                  <Autocomplete.Collection>
                    {(entry: Entry) => (
                      <Autocomplete.Item
                        key={entry.id}
                        value={entry}
                        className="popup-item"
                        onClick={() => {
                          props.close()
                          entry.do()
                        }}
                      >
                        <Icon name={entry.icon} />
                        {entry.label}
                      </Autocomplete.Item>
                    )}
                  </Autocomplete.Collection>
                </Autocomplete.Group>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

interface Group {
  label: string
  items: Entry[]
}

function useEntries(text: string, { mayChangeCalls, signOut, showKeys }: PaletteProps): Group[] {
  const office = useOffice()
  const navigate = useNavigate()
  const calls = useCallSwitch()
  const asked = text.trim()
  const found = useQuery({
    queryKey: ['visitors', 'palette', asked],
    queryFn: () => office.visitors.search({ text: asked, limit: MOST_VISITORS }),
    enabled: asked !== '',
    placeholderData: keepPreviousData,
  })
  const places = [...PLACES, ACCOUNT].map(({ path, name, icon }) => ({
    id: path,
    label: name,
    icon,
    do: () => void navigate({ to: path }),
  }))
  const actions: Entry[] = [
    ...(mayChangeCalls && calls.state !== 'unknown'
      ? [
          {
            id: 'calls',
            label: (calls.state === 'on' ? SHELL_TEXTS.pause : SHELL_TEXTS.resume).full,
            icon: calls.state === 'on' ? ('pause' as const) : ('play' as const),
            do: calls.turn,
          },
        ]
      : []),
    { id: 'keys', label: SHELL_TEXTS.shortcuts, icon: 'help', do: showKeys },
    { id: 'leave', label: SHELL_TEXTS.signOut, icon: 'leave', do: () => void signOut() },
  ]
  const visitors = asked === '' ? [] : (found.data?.visitors ?? [])
  return [
    { label: SHELL_TEXTS.groups.places, items: matching(places, asked) },
    { label: SHELL_TEXTS.groups.actions, items: matching(actions, asked) },
    {
      label: SHELL_TEXTS.groups.visitors,
      items: visitors.map(({ slug, name }) => ({
        id: `visitor ${slug}`,
        label: name,
        icon: 'visitors' as const,
        do: () => void navigate({ to: '/visitors/$slug', params: { slug } }),
      })),
    },
  ].filter(({ items }) => items.length > 0)
}
