import { useQuery } from '@tanstack/react-query'
import { toDataURL } from 'qrcode'
import { Button, Buttons } from '../ui/button.js'
import { CopyButton } from '../ui/copy-button.js'
import { Dialog } from '../ui/dialog.js'
import { save } from './download.js'
import { SHARE_TEXTS } from './texts.js'
import type { VisitorLine } from './visitor-line.js'

/** Wide enough for print, in px. */
const QR_PX = 720

/** A visitor's link, as text, as a QR code and as the picture that messengers show with it. */
export default function ShareDialog({
  visitor: { slug, name, link },
  close,
}: {
  visitor: Pick<VisitorLine, 'slug' | 'name' | 'link'>
  close(): void
}) {
  const { data: qr } = useQuery({
    queryKey: ['qr', link],
    queryFn: () => toDataURL(link, { width: QR_PX, margin: 2 }),
  })
  return (
    <Dialog title={SHARE_TEXTS.title(name)} close={close} width="wide">
      <div className="share">
        <p className="share-link">
          <a href={link} target="_blank" rel="noreferrer">
            {link}
          </a>
        </p>
        <Buttons>
          <CopyButton text={link}>{SHARE_TEXTS.copy}</CopyButton>
          {qr !== undefined && (
            <Button icon="download" onClick={() => save(qr, `${slug}.png`)}>
              {SHARE_TEXTS.download}
            </Button>
          )}
        </Buttons>
        {qr !== undefined && <img className="share-qr" src={qr} alt={SHARE_TEXTS.qr} />}
        <figure>
          <img
            className="share-picture"
            src={`/-/previews/${encodeURIComponent(slug)}.png`}
            alt={SHARE_TEXTS.picture}
            width={1200}
            height={630}
          />
          <figcaption className="hint">{SHARE_TEXTS.pictureHint}</figcaption>
        </figure>
      </div>
    </Dialog>
  )
}
