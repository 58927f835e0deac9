/** A crossed-out microphone in the line of the page's icons; decoration beside the button's text. */
export function MuteIcon() {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d="M9 9v2.5a3 3 0 0 0 4.6 2.5M15 11v-4.5a3 3 0 0 0-5.7-1.3M5.5 11.5a6.5 6.5 0 0 0 10.400 5.200M18.5 11.5a6.5 6.5 0 0 1-.4 2.200M12 18v3M4 4l16 16" />
    </svg>
  )
}
