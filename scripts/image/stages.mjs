import { DockerfileParser } from 'dockerfile-ast'

/**
 * @typedef {{ keyword: string, flags: Record<string, string>, words: string[], text: string }} Step an instruction after FROM: `text` is all
 * that stands behind its flags, `words` the same as single arguments, of the JSON form too
 * @typedef {{ image: string, name: string, steps: Step[] }} Stage
 */

/** The stages of a Dockerfile, in their order; throws at an instruction before the first one. @param {string} dockerfile @returns {Stage[]} */
export function stagesOf(dockerfile) {
  /** @type {Stage[]} */
  const stages = []
  for (const instruction of DockerfileParser.parse(dockerfile).getInstructions()) {
    const keyword = instruction.getKeyword()
    if (keyword === 'FROM') {
      const from = /** @type {import('dockerfile-ast').From} */ (instruction)
      stages.push({
        image: from.getImage() ?? '',
        name: from.getBuildStage() ?? String(stages.length),
        steps: [],
      })
      continue
    }
    const stage = stages.at(-1)
    if (!stage) throw new Error(`${keyword} stands before the first FROM`)
    stage.steps.push(stepOf(keyword, instruction))
  }
  return stages
}

/** @param {string} keyword @param {import('dockerfile-ast').Instruction} instruction @returns {Step} */
function stepOf(keyword, instruction) {
  const flags = 'getFlags' in instruction ? flagsOf(/** @type {WithFlags} */ (instruction)) : {}
  const words = instruction.getArguments().map((argument) => argument.getValue())
  const text = (instruction.getArgumentsContent() ?? '').replace(/^(--\S+\s+)+/, '')
  const list = text.slice(text.indexOf('['))
  return {
    keyword,
    flags,
    words: text.includes('["') ? [...words.slice(0, words.indexOf('CMD') + 1), ...JSON.parse(list)] : words,
    text,
  }
}

/** @typedef {{ getFlags(): import('dockerfile-ast').Flag[] }} WithFlags */

/** @param {WithFlags} instruction @returns {Record<string, string>} */
const flagsOf = (instruction) =>
  Object.fromEntries(instruction.getFlags().map((flag) => [flag.getName(), flag.getValue() ?? '']))
