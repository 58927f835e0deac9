/** What a page over plain http says of its microphone: to screen readers, and with the second in the browser's console. Nothing of it is shown (spec 8). */
export const PLAIN_HTTP_TEXTS = {
  reason:
    'This page has no microphone, because its address begins with http. Browsers give a microphone to https pages only. To talk in the browser, open the page at its https address.',
  forOperators:
    'If this server is yours: give it a name and https (docs/deploy.md of Heyline, "Put it on the net"), set PUBLIC_URL to that address, and share links that begin with https. On the same machine http://localhost works, too.',
}
