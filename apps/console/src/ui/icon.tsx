/** Drawn on a grid of 20 by 20, with round lines of 1.5. Each is one path. */
const PATHS = {
  visitors:
    'M7 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6Zm-5 7c0-2.8 2.2-5 5-5s5 2.2 5 5m1-7a2.6 2.6 0 1 0-.6-5.1m1.6 7.3c2.3.3 4 2.4 4 4.8',
  calls:
    'M4.2 3h2.6l1.4 3.6-1.9 1.5a9.6 9.6 0 0 0 4.6 4.6l1.5-1.9L16 12.2v2.6c0 1-.8 1.7-1.7 1.7A12 12 0 0 1 2.5 4.7C2.5 3.8 3.2 3 4.2 3Z',
  timeline: 'M4 3v14M4 5.5h6.5m-6.5 4.5h11M4 14.5h4.5',
  safety:
    'M10 2.5 3.8 5v4.6c0 3.7 2.5 6.6 6.2 7.9 3.7-1.3 6.2-4.2 6.2-7.9V5L10 2.5Zm-2.6 7.3 1.9 1.9 3.4-3.6',
  assistant: 'M3 8.5v3M6.5 6v8M10 3v14M13.5 6v8M17 8.5v3',
  tickets: 'M3 4h14v10H9.5L6 17v-3H3V4Zm4 3.5h6m-6 3h4',
  team: 'M10 9a3.2 3.2 0 1 0 0-6.4A3.2 3.2 0 0 0 10 9Zm-6 8.5c0-3.3 2.7-5.5 6-5.5s6 2.2 6 5.5',
  audit: 'M5 2.5h7l3.5 3.5v11.5H5v-15ZM12 2.5V6h3.5M8 10h4.5M8 13.5h4.5',
  settings: 'M3 6h7m4 0h3M3 14h3m4 0h7M12 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4Zm-4 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z',
  help: 'M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15ZM7.8 8a2.2 2.2 0 1 1 3.3 1.9c-.7.4-1.1.8-1.1 1.6m0 2.4v.1',
  account:
    'M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15Zm0-7a2.4 2.4 0 1 0 0-4.8 2.4 2.4 0 0 0 0 4.8Zm-4.7 4.8c.8-1.6 2.6-2.5 4.7-2.5s3.9.9 4.7 2.5',
  search: 'M9 15A6 6 0 1 0 9 3a6 6 0 0 0 0 12Zm4.3-1.7L17 17',
  pause: 'M7 4v12M13 4v12',
  play: 'M6 3.8v12.4L16 10 6 3.8Z',
  close: 'm5 5 10 10M15 5 5 15',
  check: 'm4 10.5 4 4 8-9',
  down: 'm5 7.5 5 5 5-5',
  up: 'm5 12.5 5-5 5 5',
  back: 'm12.5 5-5 5 5 5',
  forward: 'm7.5 5 5 5-5 5',
  sort: 'm6.5 8 3.5-4 3.5 4m-7 4 3.5 4 3.5-4',
  copy: 'M7 7h10v10H7V7Zm6-4H3v10',
  more: 'M4.5 10v.01M10 10v.01M15.5 10v.01',
  add: 'M10 4v12M4 10h12',
  remove: 'M3.5 5.5h13m-9 0v-2h5v2m-7.5 0 .7 11h8.6l.7-11',
  edit: 'm4 16 .8-3.4L13 4.4l2.6 2.6-8.2 8.2L4 16Z',
  download: 'M10 3v9.5m-4-4 4 4 4-4M3.5 16.5h13',
  upload: 'M10 12.5V3m-4 4 4-4 4 4M3.5 16.5h13',
  link: 'M8.5 11.5a3.2 3.2 0 0 0 4.6 0l2.6-2.6a3.2 3.2 0 0 0-4.6-4.6L10 5.4m1.5 3.1a3.2 3.2 0 0 0-4.6 0l-2.6 2.6a3.2 3.2 0 0 0 4.6 4.6l1.1-1.1',
  leave: 'M8 3H4v14h4m4.5-3.5L16 10l-3.5-3.5M16 10H8',
  warning: 'M10 3 2.5 16.5h15L10 3Zm0 5v4m0 2.2v.1',
} as const

export type IconName = keyof typeof PATHS

/** A picture beside a text, never in place of one: nothing reads it aloud. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 20 20" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  )
}
