/** Line icons, drawn for a 24-unit square; decoration beside a text, so hidden from assistive technology. */
function Icon({ path, solid = false }: { path: string; solid?: boolean }) {
  return (
    <svg className={solid ? 'icon solid' : 'icon'} viewBox="0 0 24 24" aria-hidden="true">
      <path d={path} />
    </svg>
  )
}

export function PhoneIcon() {
  return (
    <Icon path="M5.5 4h3l1.6 4.2-2 1.5a12 12 0 0 0 6.2 6.2l1.5-2 4.2 1.6v3a1.6 1.6 0 0 1-1.7 1.6A15.6 15.6 0 0 1 3.9 5.7 1.6 1.6 0 0 1 5.5 4Z" />
  )
}

export function MicrophoneIcon() {
  return (
    <Icon path="M12 3.5a3 3 0 0 0-3 3v5a3 3 0 0 0 6 0v-5a3 3 0 0 0-3-3ZM5.5 11.5a6.5 6.5 0 0 0 13 0M12 18v3" />
  )
}

export function StopIcon() {
  return <Icon solid path="M6.5 6.5h11v11h-11Z" />
}
