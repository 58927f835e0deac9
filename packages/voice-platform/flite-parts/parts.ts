// AssemblyScript: `node scripts/flite-parts.mjs` makes src/engines/flite/flite-parts-code.ts of this folder.
//
// Parts of flite that are done faster here. All memory belongs to flite: numbers in these files are offsets into its structures.

export { resetNoise, resynthesize } from './vocoder'
export { decide, lookup } from './features'
