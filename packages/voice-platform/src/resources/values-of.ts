/** How many values a value from JSON has: objects, lists, texts and all others, with those that are in them. */
export function valuesOf(value: unknown): number {
  let count = 0
  const open = [value]
  while (open.length > 0) {
    const one = open.pop()
    count += 1
    if (typeof one !== 'object' || one === null) continue
    if (Array.isArray(one)) for (const inner of one) open.push(inner)
    else for (const inner of Object.values(one)) open.push(inner)
  }
  return count
}
