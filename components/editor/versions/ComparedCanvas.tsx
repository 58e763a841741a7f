import { ReactFlowProvider } from '@xyflow/react';
import { useMemo } from 'react';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import type { DefinitionComparison } from '@/components/graph/compare';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { WorkflowCanvas } from '@/components/canvas/WorkflowCanvas';
import classes from './ComparedCanvas.module.css';

interface Props {
  definition: WorkflowDefinition;
  /** The differences of the definition to another one. */
  comparison: DefinitionComparison;
  catalogue: NodeTypesByName;
}

const EMPTY_SELECTED_IDS: readonly string[] = [];
const ignoreSelection = () => undefined;

/** A definition with its differences marked: added, changed and removed nodes. */
export function ComparedCanvas({ definition, comparison, catalogue }: Props) {
  const marks = useMemo(
    () => new Map(comparison.nodes.flatMap(({ id, change }) => (change === 'moved' ? [] : [[id, change] as const]))),
    [comparison],
  );
  const drawn = useMemo(() => addRemovedNodes(definition, comparison), [definition, comparison]);
  return (
    <div className={classes.frame}>
      <ReactFlowProvider>
        <WorkflowCanvas
          definition={drawn}
          catalogue={catalogue}
          changes={marks}
          selectedIds={EMPTY_SELECTED_IDS}
          onSelect={ignoreSelection}
        />
      </ReactFlowProvider>
    </div>
  );
}

const addRemovedNodes = (definition: WorkflowDefinition, { nodes }: DefinitionComparison): WorkflowDefinition => ({
  ...definition,
  nodes: [
    ...definition.nodes,
    ...nodes.flatMap(({ change, before }) => (change === 'removed' && before ? [before] : [])),
  ],
});
