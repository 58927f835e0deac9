import { Icon } from './icon.js'

/** Saves what is at an address as a file of this name. `hint` is shown on hover. */
export function DownloadLink({
  href,
  file,
  hint,
  children,
}: {
  href: string
  file: string
  hint: string
  children: string
}) {
  return (
    <a className="button" data-look="plain" href={href} download={file} title={hint}>
      <Icon name="download" />
      {children}
    </a>
  )
}
