import { z } from 'zod'

/** A list in a party’s answer, checked up to the first wrong element: a complaint about each of very many would take long. */
export const partyList = <Schema extends z.ZodType>(schema: Schema) =>
  z.array(z.unknown()).transform((list, { issues }) => {
    const checked: z.output<Schema>[] = []
    for (const [place, input] of list.entries()) {
      const element = schema.safeParse(input)
      if (element.success) checked.push(element.data)
      else {
        issues.push({ code: 'custom', input, path: [place], message: 'is not what was asked for' })
        return z.NEVER
      }
    }
    return checked
  })
