// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { lazyWithPreload } from './lazy-with-preload';

afterEach(cleanup);

const Part = ({ word }: { word: string }) => <p>{word}</p>;

describe('a lazy component', () => {
  it('shows the placeholder until its code is loaded', async () => {
    let arrive: (part: typeof Part) => void = () => {};
    const Later = lazyWithPreload<{ word: string }>(() => new Promise((resolve) => (arrive = resolve)), <i>soon</i>);
    render(<Later word="here" />);
    expect(screen.getByText('soon')).toBeTruthy();
    await act(async () => arrive(Part));
    expect(screen.getByText('here')).toBeTruthy();
    expect(screen.queryByText('soon')).toBeNull();
  });

  it('renders at once when it was preloaded', async () => {
    const Later = lazyWithPreload<{ word: string }>(async () => Part, <i>soon</i>);
    await Later.load();
    render(<Later word="here" />);
    expect(screen.getByText('here')).toBeTruthy();
  });
});
