import { createChainHasher } from '../chain-hasher.ts'
import { formatWhere } from '../json/json-path.ts'
import { stepFault } from '../trace-shape.ts'
import type { Check, Verdict } from './check.ts'

/** Every step stands at its index, points at the step before, and has the hash that its content gives. */
export const checkHashChain: Check = ({ steps }) => {
  const hash = createChainHasher()
  let previous: string | null = null
  for (const [index, step] of steps.entries()) {
    const fault = stepFault(step, index)
    if (fault !== undefined) return broken(index, 'step_shape', fault.message, fault.at as (string | number)[])
    if (step.index !== index) return broken(index, 'index_mismatch', 'the index is not the place of the step')
    if (step.prevHash !== previous) {
      return broken(index, 'prev_hash_mismatch', 'prevHash is not the hash of the step before')
    }
    if (step.hash !== hash(step)) return broken(index, 'hash_mismatch', 'the hash does not fit the content of the step')
    previous = step.hash
  }
  return { pass: true, detail: `${steps.length} step(s), chain intact` }
}

const broken = (
  index: number,
  code: string,
  detail: string,
  path: (string | number)[] = ['steps', index],
): Verdict => ({
  pass: false,
  code,
  where: formatWhere(path),
  detail,
})
