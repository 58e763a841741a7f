import { ReactFlowProvider } from '@xyflow/react';
import { useMemo } from 'react';
import type { Definition } from '@/contract/workflows/workflow';
import type { Comparison } from '@/components/graph/compare';
import type { Catalogue } from '@/components/graph/flow';
import { WorkflowCanvas } from '@/components/canvas/WorkflowCanvas';
import classes from './ComparedCanvas.module.css';

interface Props {
  definition: Definition;
  /** Its differences to another definition. */
  comparison: Comparison;
  catalogue: Catalogue;
}

const NONE: readonly string[] = [];
const ignore = () => undefined;

/** A definition with its differences marked: added, changed and removed nodes. */
export function ComparedCanvas({ definition, comparison, catalogue }: Props) {
  const marks = useMemo(
    () => new Map(comparison.nodes.flatMap(({ id, change }) => (change === 'moved' ? [] : [[id, change] as const]))),
    [comparison],
  );
  const drawn = useMemo(() => withRemoved(definition, comparison), [definition, comparison]);
  return (
    <div className={classes.frame}>
      <ReactFlowProvider>
        <WorkflowCanvas definition={drawn} catalogue={catalogue} changes={marks} selectedIds={NONE} onSelect={ignore} />
      </ReactFlowProvider>
    </div>
  );
}

const withRemoved = (definition: Definition, { nodes }: Comparison): Definition => ({
  ...definition,
  nodes: [
    ...definition.nodes,
    ...nodes.flatMap(({ change, before }) => (change === 'removed' && before ? [before] : [])),
  ],
});
