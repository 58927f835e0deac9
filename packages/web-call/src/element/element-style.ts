/** The element's own style. It is adopted as a constructed sheet, which no content security policy refuses. */
export const ELEMENT_STYLE = `
:host {
  --_background: var(--heyline-call-background, #1d4ed8);
  --_color: var(--heyline-call-color, #fff);
  --_active: var(--heyline-call-active-background, #b91c1c);
  --_message: var(--heyline-call-message-color, light-dark(#991b1b, #fca5a5));
  display: inline-block;
  font: var(--heyline-call-font, 600 1rem/1.25 system-ui, sans-serif);
}
:host([hidden]) { display: none; }
button {
  display: inline-flex;
  align-items: center;
  justify-content: center;
  gap: 0.6em;
  min-height: 2.75em;
  box-sizing: border-box;
  padding: var(--heyline-call-padding, 0.65em 1.4em);
  border: 0;
  border-radius: var(--heyline-call-radius, 999px);
  background: var(--_background);
  color: var(--_color);
  font: inherit;
  cursor: pointer;
  transition: background-color 0.15s, box-shadow 0.1s;
}
button:hover { filter: brightness(1.12); }
button:focus-visible { outline: 3px solid var(--heyline-call-focus, light-dark(#1e293b, #e2e8f0)); outline-offset: 2px; }
button[aria-disabled='true'] { cursor: progress; opacity: 0.75; }
:host([state='in-call']) button {
  background: var(--_active);
  box-shadow: 0 0 0 calc(var(--_volume, 0) * 10px) color-mix(in srgb, var(--_active) 35%, transparent);
}
svg { width: 1.2em; height: 1.2em; flex: none; fill: currentColor; }
p { margin: 0.6em 0 0; max-width: 30em; color: var(--_message); font-weight: 400; font-size: 0.9em; }
p:empty { display: none; }
.status { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (prefers-reduced-motion: reduce) { button { transition: none; } :host([state='in-call']) button { box-shadow: none; } }
@media (forced-colors: active) { button { border: 1px solid ButtonText; } }
`
