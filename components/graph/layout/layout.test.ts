import { expect, it } from 'vitest';
import type { Definition } from '@/contract/workflows/workflow';
import { catalogue as nodeTypes } from '@/server/nodes';
import { templateFiles } from '@/server/templates';
import { pickShard } from '@/server/testing/shards';
import { move } from '../edits/edits';
import { catalogueOf } from '../flow';
import { layout } from './layout';
import { measure } from './measure';
import { routesOf } from './routes';

const catalogue = catalogueOf(nodeTypes());
const templates = (await templateFiles()).map(({ name, definition }): [string, Definition] => [name, definition]);

it.each(templates)('%s has no connection below a card, as drawn', (_, definition) => {
  expect(measure(definition, catalogue, routesOf(definition, catalogue))).toMatchObject({ covered: 0, crossings: 0 });
});

it.each(pickShard(templates))('%s has none either after it was laid out, and no crossings', async (_, definition) => {
  const tidy = move(definition, await layout(definition, catalogue));
  expect(measure(tidy, catalogue, routesOf(tidy, catalogue))).toMatchObject({ covered: 0, crossings: 0 });
});
