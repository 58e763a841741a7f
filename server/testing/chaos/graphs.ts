import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { flow } from '../flow';

/** True for the nodes that call the target. */
export const isCall = (nodeId: string): boolean => /(?:^|\.)(?:a|b|c|x|yes|z)$/.test(nodeId);

/** Nodes that add one to the remembered number of the same name. */
export const COUNTERS = ['count', 'rounds'];

/** Workflows that together cover every kind of point at which a worker can die. */
export function graphs(target: string, tableId: string, chainId?: string): Record<string, WorkflowDefinition> {
  // The time of the attempt: the call was made before the target received it.
  const headers = { 'x-visited-at': '{{ $millis() }}' };
  const once = {
    type: 'http_request',
    config: { url: target, method: 'POST', headers, body: '{{ execution.input }}' },
  };
  const retry = { maxAttempts: 4, backoffMs: 100 };
  const call = { ...once, retry };
  const start = { type: 'start' };
  const nap = { type: 'delay', config: { durationMs: 1300 } };
  const blink = { type: 'delay', config: { durationMs: 50 } };
  const table = (config: object) => ({ type: 'table', config: { tableId, ...config } });
  const shape = { type: 'transform', config: { expression: '{"story": execution.input.story}' } };
  return {
    chain: flow({ s: start, a: call, t: shape, d: nap, b: call, c: call, e: shape }, [
      's>a',
      'a>t',
      't>d',
      'd>b',
      'd>c',
      'b>e',
      'c>e',
    ]),
    approval: flow({ s: start, a: call, ask: { type: 'approval' }, yes: call, no: shape }, [
      's>a',
      'a>ask',
      'ask:approved>yes',
      'ask:rejected>no',
    ]),
    loop: flow(
      {
        s: start,
        each: {
          type: 'for_each',
          retry,
          config: {
            items: '[1..4]',
            concurrency: 2,
            body: { ...flow({ s: start, x: once, y: blink }, ['s>x', 'x>y']) },
          },
        },
        z: call,
      },
      ['s>each', 'each>z'],
    ),
    // Changes: the run reaches each of them several times, each is stored once.
    changes: flow(
      {
        s: start,
        count: { type: 'remember', config: { operation: 'add', scope: 'workspace', key: 'count' } },
        new: { type: 'remember', config: { operation: 'seen', key: 'stories', items: '[execution.input.story]' } },
        row: table({ operation: 'insert', row: { name: '{{ execution.id }}' } }),
        visits: table({ operation: 'increment', key: { name: 'visits' }, column: 'n' }),
        each: {
          type: 'for_each',
          retry,
          config: {
            items: '[1..4]',
            concurrency: 4,
            body: {
              ...flow(
                { s: start, x: once, rounds: { type: 'remember', config: { operation: 'add', key: 'rounds' } } },
                ['s>rounds', 's>x'],
              ),
            },
          },
        },
        z: call,
      },
      ['s>count', 'count>new', 's>row', 'row>visits', 's>each', 'new>z', 'visits>z', 'each>z'],
    ),
    // Pure nodes only: a process with both roles stores the run after it has ended.
    pure: flow({ s: start, t: shape, e: shape }, ['s>t', 't>e']),
    code: flow(
      { s: start, js: { type: 'code', config: { language: 'javascript', source: 'return { n: 6 * 7 };' } }, a: call },
      ['s>js', 'js>a'],
    ),
    ...(chainId && {
      parent: flow(
        {
          s: start,
          child: {
            type: 'sub_workflow',
            config: { workflowId: chainId, input: { story: '{{ execution.input.story & " child" }}' } },
          },
          z: call,
        },
        ['s>child', 'child>z'],
      ),
    }),
  };
}
