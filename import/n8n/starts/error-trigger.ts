import type { N8nNode } from '../file';
import type { ConvertedTrigger } from './trigger';

/** What n8n gives of a failed run, made of the input of an error run. */
const FAILED_RUN_SHAPE = `((run) => [{
  execution: {
    id: run.id,
    url: run.url,
    error: { message: run.error?.message, name: run.error?.code, stack: run.error?.message },
    lastNodeExecuted: run.error?.nodeId,
    mode: run.trigger === 'webhook' ? 'webhook' : 'trigger',
  },
  workflow: { id: run.workflowId, name: run.workflowName },
}])(input?.execution ?? {})`;

/** What the input of an error run has in another way, or not at all. */
const READS_DETAILS = /lastNodeExecuted|\.stack\b|\bretryOf\b|\.cause\b|\.trigger\b|\.timestamp\b/;

const LINK =
  'Workflows that name it as their error workflow in n8n do so here, if they are imported with it. Others choose it in their settings.';

/** A start for the runs of an error workflow. `nodes`: those of its file. */
export function convertErrorTrigger(nodes: readonly N8nNode[]): ConvertedTrigger {
  const readsDetails = nodes.some(({ parameters }) => READS_DETAILS.test(JSON.stringify(parameters)));
  const details = readsDetails
    ? ['Check what it reads of the failed run: the last node is an id, and the error has its message and its code.']
    : [];
  return {
    triggers: [],
    isWhole: !readsDetails,
    message: [LINK, ...details].join(' '),
    knowledge: [LINK],
    shape: FAILED_RUN_SHAPE,
    names: new Map(),
  };
}
