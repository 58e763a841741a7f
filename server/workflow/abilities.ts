import type { Definition } from '@/contract/workflows/workflow';
import { kindsByType } from '@/server/nodes';
import { compile, type Graph } from './graph';

/** Something that a process must know to run certain definitions, or to continue their runs. */
interface Ability {
  /** A power of two below 2^31. It is stored with versions and runs, so it is never given to another ability. */
  bit: number;
  isRequiredBy(definition: Definition): boolean;
}

/**
 * What this release knows. During a rolling upgrade, claims and a trigger of the database (`withhold_run`) leave a run to processes that
 * have all the abilities that its version requires. A feature of definitions that earlier releases would ignore or misread gets an entry here.
 */
const ABILITIES: readonly Ability[] = [
  // A run can end at a node of which only another port has a connection; releases before gave null for it.
  { bit: 1, isRequiredBy: (definition) => hasConditionalLeaf(compile(definition, kindsByType)) },
];

/** Whether a node with connections can be the leaf of a run or of a round. */
const hasConditionalLeaf = ({ nodes, output }: Graph): boolean =>
  (output.kind === 'leaves' && output.possible.some(({ outgoing }) => outgoing.length > 0)) ||
  nodes.some(({ body }) => body !== undefined && hasConditionalLeaf(body));

const sum = (abilities: readonly Ability[]): number => abilities.reduce((total, { bit }) => total | bit, 0);

/** The abilities of this process. Its workers register with them. */
export const KNOWN_ABILITIES = sum(ABILITIES);

/** The abilities that runs of a definition require. */
export const requiredAbilities = (definition: Definition): number =>
  sum(ABILITIES.filter(({ isRequiredBy }) => isRequiredBy(definition)));

/** SQL: the abilities that a row with `workflow_id` and `workflow_version` requires as a run. */
export const abilitiesOfVersion = (row: string): string =>
  `coalesce((SELECT v.required_abilities FROM workflow_version v WHERE v.workflow_id = ${row}.workflow_id AND v.version = ${row}.workflow_version), 0)`;
