// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { ExpressionPreview } from './ExpressionPreview';
import { buildExecutionVariables } from './model/preview-expression';
import { PreviewDataContext, type PreviewData } from './preview-context';

afterEach(cleanup);

const item = { sku: 'A-1' };
const preview: PreviewData = {
  scope: {
    input: item,
    item,
    index: 0,
    items: [item],
    nodes: {},
    execution: buildExecutionVariables(undefined),
    paired: { orders: { id: 7, customer: 'Ada' } },
  },
  pairedEnd: '“Shop” makes a list of its own.',
  hasData: true,
  isPartial: false,
};

const show = (value: string, isBare: boolean, data: PreviewData = preview) =>
  render(
    <MantineProvider env="test">
      <PreviewDataContext value={data}>
        <ExpressionPreview value={value} isBare={isBare} />
      </PreviewDataContext>
    </MantineProvider>,
  );

describe('the preview of paired expressions', () => {
  it('has the item that the first item came from', async () => {
    show('paired.orders.customer & " " & item.sku', true);
    expect(await screen.findByText('= "Ada A-1"')).toBeTruthy();
    cleanup();
    show('Order {{ paired.`orders`.id }}', false);
    expect(await screen.findByText('= "Order 7"')).toBeTruthy();
  });

  it('says why there is none, and where items have no origin', async () => {
    show('paired.shop.id', true);
    expect(await screen.findByText('paired.shop has no value. “Shop” makes a list of its own.')).toBeTruthy();
    cleanup();
    const { paired: _paired, ...scope } = preview.scope;
    show('Order {{ paired.orders.id }}', false, { ...preview, scope, pairedEnd: undefined });
    expect(await screen.findByText(/Only nodes that run for each item know where an item came from/)).toBeTruthy();
  });
});
