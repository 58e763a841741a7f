import { definitionLanguage } from '@/contract/workflows/expression-language';
import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import { definitionsByNodeType } from '@/server/workflow/nodes';
import { listInnerNodes } from '@/server/workflow/nodes/inner-nodes';
import { compileGraph, type WorkflowGraph } from './graph';

/** A feature that a process must support to run certain definitions, or to continue their runs. */
interface ReleaseAbility {
  /** A power of two below 2^31. It is stored with versions and runs, so it is never given to another ability. */
  bit: number;
  isRequiredBy(definition: WorkflowDefinition): boolean;
}

/** The ability to begin a run at one of several start nodes. Runs with `start_node_id` require it as well. */
const START_NODE_ABILITY = 16;

/** The ability to run a loop with the first item of its list only. Runs that do so require it, no definition does. */
export const FIRST_ITEM_ABILITY = 64;

/**
 * The features that this release supports. During a rolling upgrade, claims and a trigger of the database
 * (`withhold_run`) leave a run to processes that have all the abilities that its version requires. A feature of
 * definitions that earlier releases would ignore or misread gets an entry here.
 */
export const RELEASE_ABILITIES: readonly ReleaseAbility[] = [
  // A run can end at a node whose taken port has no connection, though another port has one. Earlier releases gave null
  // for it.
  { bit: 1, isRequiredBy: (definition) => hasConditionalLeaf(compileGraph(definition, definitionsByNodeType)) },
  // A node runs once for each item of a list.
  { bit: 2, isRequiredBy: (definition) => hasNodeWhere(definition, (node) => 'each' in node) },
  // Earlier releases would read expressions in JavaScript as JSONata.
  { bit: 4, isRequiredBy: (definition) => definitionLanguage(definition) === 'javascript' },
  // Earlier releases do not know the names of a prelude.
  { bit: 32, isRequiredBy: ({ prelude }) => prelude !== undefined },
  { bit: START_NODE_ABILITY, isRequiredBy: (definition) => hasNodeWhere(definition, startsElsewhere) },
  { bit: FIRST_ITEM_ABILITY, isRequiredBy: () => false },
];

/** A run begins at one of several start nodes, or a node starts one that does. */
const startsElsewhere = ({ type, config }: WorkflowNode): boolean =>
  type === 'sub_workflow' && (config['startNodeId'] ?? null) !== null;

/** Whether a node of a definition, also one inside of another, fulfils a condition. */
const hasNodeWhere = ({ nodes }: Pick<WorkflowDefinition, 'nodes'>, holds: (node: WorkflowNode) => boolean): boolean =>
  nodes.some((node) => holds(node) || hasNodeWhere({ nodes: listInnerNodes(node).map((inner) => inner.node) }, holds));

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

/** SQL: the abilities that a row with `workflow_id`, `workflow_version` and `start_node_id` requires as a run. */
export const runAbilitiesSql = (row: string): string =>
  `(coalesce((SELECT v.required_abilities FROM workflow_version v WHERE v.workflow_id = ${row}.workflow_id AND v.version = ${row}.workflow_version), 0)
    | CASE WHEN ${row}.start_node_id IS NULL THEN 0 ELSE ${START_NODE_ABILITY} END)`;
