import { Link } from '@tanstack/react-router'
import { lazy, type ReactNode } from 'react'
import { PLACES } from '../places/places.js'
import { Icon } from '../ui/icon.js'
import { LateMenu } from '../ui/late-menu.js'
import { SHELL_TEXTS } from './texts.js'

const MorePlaces = lazy(() => import('./more-places.js'))

/** On a phone so many places stand in the bar at the bottom; the others are behind *More*. The style says the same. */
const IN_THE_BAR = 4

/** Where one can go: a rail at the side; on a phone a line at the top and a bar at the bottom. */
export function Navigation({ search, foot }: { search(): void; foot: ReactNode }) {
  return (
    <header className="rail">
      <Link to="/visitors" className="brand">
        <span className="mark" aria-hidden="true">
          <i />
          <i />
          <i />
          <i />
          <i />
        </span>
        {SHELL_TEXTS.product}
      </Link>
      <button
        type="button"
        className="jump"
        aria-label={SHELL_TEXTS.palette}
        aria-keyshortcuts="Control+K Meta+K"
        onClick={search}
      >
        <Icon name="search" />
        <span className="jump-text">{SHELL_TEXTS.jump}</span>
        <kbd>{SEARCH_KEYS}</kbd>
      </button>
      <nav className="places" aria-label={SHELL_TEXTS.places}>
        <ul>
          {PLACES.map(({ path, name, icon }) => (
            <li key={path}>
              <Link to={path} className="place-link">
                <Icon name={icon} />
                {name}
              </Link>
            </li>
          ))}
          <li className="more-places">
            <LateMenu
              button={
                <button type="button" className="place-link">
                  <Icon name="more" />
                  {SHELL_TEXTS.more}
                </button>
              }
              menu={(button) => <MorePlaces opens={button} from={IN_THE_BAR} />}
            />
          </li>
        </ul>
      </nav>
      <div className="rail-foot">{foot}</div>
    </header>
  )
}

const SEARCH_KEYS = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K'
