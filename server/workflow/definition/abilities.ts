import { definitionLanguage } from '@/contract/workflows/expression-language';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { definitionsByNodeType } from '@/server/workflow/nodes';
import { compileGraph, type WorkflowGraph } from './graph';

/** A feature that a process must support to run certain definitions, or to continue their runs. */
interface ReleaseAbility {
  /** A power of two below 2^31. It is stored with versions and runs, so it is never given to another ability. */
  bit: number;
  isRequiredBy(definition: WorkflowDefinition): boolean;
}

/**
 * The features that this release supports. During a rolling upgrade, claims and a trigger of the database
 * (`withhold_run`) leave a run to processes that have all the abilities that its version requires. A feature of
 * definitions that earlier releases would ignore or misread gets an entry here.
 */
const RELEASE_ABILITIES: readonly ReleaseAbility[] = [
  // A run can end at a node whose taken port has no connection, though another port has one. Earlier releases gave null
  // for it.
  { bit: 1, isRequiredBy: (definition) => hasConditionalLeaf(compileGraph(definition, definitionsByNodeType)) },
  // Earlier releases would read expressions in JavaScript as JSONata.
  { bit: 8, isRequiredBy: (definition) => definitionLanguage(definition) === 'javascript' },
];

/** Whether a node with connections can be the leaf of a run or of a round. */
const hasConditionalLeaf = ({ nodes, output }: WorkflowGraph): boolean =>
  (output.kind === 'leaves' && output.possible.some(({ outgoing }) => outgoing.length > 0)) ||
  nodes.some(({ body }) => body !== undefined && hasConditionalLeaf(body));

const combineAbilityBits = (abilities: readonly ReleaseAbility[]): number =>
  abilities.reduce((total, { bit }) => total | bit, 0);

/** The abilities of this process. Its workers register with them. */
export const KNOWN_ABILITIES = combineAbilityBits(RELEASE_ABILITIES);

/** The abilities that runs of a definition require. */
export const requiredAbilities = (definition: WorkflowDefinition): number =>
  combineAbilityBits(RELEASE_ABILITIES.filter(({ isRequiredBy }) => isRequiredBy(definition)));

/** SQL: the abilities that a row with `workflow_id` and `workflow_version` requires as a run. */
export const versionAbilitiesSql = (row: string): string =>
  `coalesce((SELECT v.required_abilities FROM workflow_version v WHERE v.workflow_id = ${row}.workflow_id AND v.version = ${row}.workflow_version), 0)`;
