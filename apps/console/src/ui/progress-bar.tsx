import { Progress } from '@base-ui/react/progress'

/** How far long work has come: `done` of `total`, or not known yet. `said` is the value in words. */
export function ProgressBar({
  label,
  done,
  total,
  said,
}: {
  label: string
  done: number | null
  total: number
  said?: string
}) {
  return (
    <Progress.Root
      className="progress"
      value={done}
      max={total}
      {...(said !== undefined && { getAriaValueText: () => said })}
    >
      <Progress.Label className="progress-label">{label}</Progress.Label>
      {said !== undefined && <span className="hint">{said}</span>}
      <Progress.Track className="progress-track">
        <Progress.Indicator className="progress-done" />
      </Progress.Track>
    </Progress.Root>
  )
}
