import type { Plugin } from 'vite'

/** Packages of the phone form that describe their props for development. */
const DESCRIBED = /node_modules\/(react-phone-number-input|input-format)\/.*\.js$/
const DESCRIPTION = /^ *\w+\.propTypes = \{[\s\S]*?^ *\};$/gm

/** Leaves out `propTypes`, which React 19 does not read: 0.5 kB of the form's chunk. */
export function withoutPropTypes(): Plugin {
  return {
    name: 'without-prop-types',
    apply: 'build',
    transform: {
      filter: { id: DESCRIBED },
      handler: (code) => ({ code: code.replace(DESCRIPTION, ''), map: null }),
    },
  }
}
