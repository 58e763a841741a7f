import { auth } from './auth';
import { executions } from './executions';
import { nodeTypes } from './node-types';
import { outbox } from './outbox';
import { setup } from './setup';
import { versions } from './versions';
import { webhooks } from './webhooks';
import { workflows } from './workflows';

/** All that a caller can do: the table of contents of the service. */
export const operations = [...auth, ...workflows, ...versions, ...executions, ...webhooks, ...nodeTypes, ...setup, ...outbox];

export type AnyOperation = (typeof operations)[number];
