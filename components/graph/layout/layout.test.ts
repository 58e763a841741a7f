import { expect, it } from 'vitest';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { listPublicNodeTypes as nodeTypes } from '@/server/workflow/nodes';
import { loadTemplateFiles } from '@/server/workflow/templates';
import { pickShard } from '@/server/testing/shards';
import { moveItems } from '../edits/edits';
import { indexNodeTypes } from '../cards-and-edges';
import { layOutDefinition } from './layout';
import { measureReadability } from './measure';
import { findConnectionRoutes } from './routes';

const catalogue = indexNodeTypes(nodeTypes());
const templates = (await loadTemplateFiles()).map(({ name, definition }): [string, WorkflowDefinition] => [
  name,
  definition,
]);

it.each(templates)('%s has no connection below a card, as drawn', (_, definition) => {
  expect(measureReadability(definition, catalogue, findConnectionRoutes(definition, catalogue))).toMatchObject({
    covered: 0,
    crossings: 0,
  });
});

it.each(pickShard(templates))('%s has none either after it was laid out, and no crossings', async (_, definition) => {
  const tidy = moveItems(definition, await layOutDefinition(definition, catalogue));
  expect(measureReadability(tidy, catalogue, findConnectionRoutes(tidy, catalogue))).toMatchObject({
    covered: 0,
    crossings: 0,
  });
});
