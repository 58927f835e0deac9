/** The code of `worklet.js` as text. `npm run build` puts it into the built package; from its sources there is none. */
export const workletText: string | undefined = undefined
