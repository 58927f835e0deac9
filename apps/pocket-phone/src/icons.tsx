/** Outlines on a field of 24 by 24. */
const PATHS = {
  handset:
    'M6.6 10.8a15 15 0 0 0 6.6 6.6l2.2-2.2c.3-.3.7-.4 1-.2 1.1.4 2.3.6 3.6.6.5 0 1 .4 1 1V20c0 .6-.5 1-1 1C10.6 21 3 13.4 3 4c0-.6.4-1 1-1h3.500c.6 0 1 .4 1 1 0 1.2.2 2.4.6 3.6.1.3 0 .7-.3 1z',
  microphone:
    'M12 15a3.5 3.5 0 0 0 3.5-3.500v-5a3.5 3.5 0 0 0-7 0v5A3.5 3.5 0 0 0 12 15zm6.5-3.500a6.5 6.5 0 0 1-5.5 6.400V21h-2v-3.100a6.5 6.5 0 0 1-5.5-6.400h2a4.5 4.5 0 0 0 9 0z',
  muted:
    'M3.7 2.3 2.3 3.7 8.5 9.900v1.600a3.5 3.5 0 0 0 4.9 3.200l1.5 1.500a6 6 0 0 1-2.9.8 5 5 0 0 1-4.5-5.500h-2a6.5 6.5 0 0 0 5.5 6.400V21h2v-3.100a8 8 0 0 0 3.3-1.200l4 4 1.4-1.400zM15.5 11.500v-5a3.5 3.5 0 0 0-6.7-1.400l6.7 6.700zm3 0h-2c0 .6-.1 1.2-.3 1.700l1.5 1.500c.5-1 .8-2 .8-3.200z',
  keypad:
    'M5 5h3v3H5zm5.5 0h3v3h-3zM16 5h3v3h-3zM5 10.500h3v3H5zm5.5 0h3v3h-3zm5.5 0h3v3h-3zM5 16h3v3H5zm5.5 0h3v3h-3zm5.5 0h3v3h-3z',
  loudspeaker:
    'M4 9v6h4l5 5V4L8 9zm11-.500v7a4.5 4.5 0 0 0 0-7zm0-4.900v2.100a6.8 6.8 0 0 1 0 12.600v2.100a8.8 8.8 0 0 0 0-16.800z',
  home: 'M12 3 3 10.500V21h6.500v-6h5v6H21V10.500z',
  recents:
    'M12 3a9 9 0 1 0 9 9 9 9 0 0 0-9-9zm0 16a7 7 0 1 1 7-7 7 7 0 0 1-7 7zm1-11.500h-2v5.300l4 2.4 1-1.7-3-1.800z',
  messages:
    'M4 4h16a1.5 1.5 0 0 1 1.5 1.500v10A1.5 1.5 0 0 1 20 17H8.500L4 21v-4a1.5 1.5 0 0 1-1.5-1.500v-10A1.5 1.5 0 0 1 4 4z',
  person:
    'M12 12a4.5 4.5 0 1 0-4.5-4.500A4.5 4.5 0 0 0 12 12zm0 2.200c-3.6 0-9 1.7-9 5.300V21h18v-1.500c0-3.6-5.4-5.3-9-5.300z',
} as const

export type IconName = keyof typeof PATHS

/** A picture beside words that say the same. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg className={`icon ${name}`} viewBox="0 0 24 24" aria-hidden="true">
    <path d={PATHS[name]} />
  </svg>
)

/** How the line is, as phones show it. The status says it in words. */
export const Signal = () => (
  <svg className="signal" viewBox="0 0 20 14" aria-hidden="true">
    <path className="bars" d="M1 10h3v4H1zm5-3h3v7H6zm5-3h3v10h-3zm5-4h3v14h-3z" />
    <path className="cross" d="m2 1 11 12M13 1 2 13" />
  </svg>
)
